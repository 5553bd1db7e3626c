import { LABEL_CONNECT_NAME, LABEL_SPARK_ROLE } from '../../api/labels';
import { expectsServer, isConnectAtRest, type ObservedConnect } from '../../explain/connect/observed';
import { readNodes } from '../../model/nodes';
import { SPARK_APPLICATIONS, SPARK_CONNECTS } from '../../model/resources';
import { serverPodName, type WholeConnect } from '../../model/spark-connect';
import { podsOf, roomOf, type KnownClient, type ReadNodes } from './known';
import { presenceOf } from './presence';

/**
 * Reads the Pods of a Spark Connect server, whether an operator handles it, and the nodes if a Pod
 * fits on none of them. Facts that the user cannot read are missing.
 *
 * @param nodes lists the nodes if a Pod fits on none of them
 */
export async function knownConnect(
  client: KnownClient, connect: WholeConnect, now: number, signal?: AbortSignal, nodes: ReadNodes = () => readNodes(client, signal),
): Promise<ObservedConnect> {
  const [operator, pods] = await Promise.all([
    isConnectAtRest(connect) ? undefined : presenceOf(client, connect, [SPARK_CONNECTS, SPARK_APPLICATIONS], now, signal),
    podsOf(client, connect, LABEL_CONNECT_NAME, signal),
  ]);
  const base = { connect, now, ...(operator && { operator }) };
  if (!pods) return base;
  const server = pods.find(({ view }) => view.metadata.name === serverPodName(connect));
  const executors = pods.filter(({ view }) => view.metadata.labels?.[LABEL_SPARK_ROLE] === 'executor');
  const room = await roomOf(nodes, [...(server ? [server] : []), ...executors]);
  return {
    ...base, executors: executors.map(({ view }) => view), ...(server && { server: server.view }), ...(room && { room }),
    isServerGone: !server && expectsServer(connect),
  };
}
