import { LABEL_CONNECT_NAME, LABEL_SPARK_ROLE } from '../../api/labels';
import { SparkConnectState } from '../../api/spark-connect-status';
import { expectsServer, isConnectAtRest, lacksConnectExecutors, type ObservedConnect } from '../../explain/connect/observed';
import { endOfPodLog } from '../../model/actions/driver-log-end';
import { readNodes } from '../../model/nodes';
import { isOwnPod } from '../../model/own-pod';
import { SPARK_APPLICATIONS, SPARK_CONNECTS } from '../../model/resources';
import { serverPodName, stateOf, type WholeConnect } from '../../model/spark-connect';
import { executorViews, podsOf, roomOf, type KnownClient, type ReadNodes } from './known';
import { presenceOf } from './presence';

/**
 * Reads the Pods of a Spark Connect server, the events of an executor that a node prepares, the end
 * of the server's log if it lacks executors, whether an operator handles it, and the nodes if a Pod
 * fits on none of them. Facts that the user cannot read are missing.
 *
 * @param nodes lists the nodes if a Pod fits on none of them
 */
export async function knownConnect(
  client: KnownClient, connect: WholeConnect, now: number, signal?: AbortSignal, nodes: ReadNodes = () => readNodes(client, signal),
): Promise<ObservedConnect> {
  const { namespace } = connect.metadata;
  const [operator, pods, serverLog] = await Promise.all([
    isConnectAtRest(connect) ? undefined : presenceOf(client, connect, [SPARK_CONNECTS, SPARK_APPLICATIONS], now, signal),
    podsOf(client, connect, LABEL_CONNECT_NAME, signal),
    lacksConnectExecutors(connect, now)
      ? endOfPodLog(client, { namespace, name: serverPodName(connect) }, (pod) => isOwnPod(pod, connect), signal) : undefined,
  ]);
  const base = { connect, now, ...(operator && { operator }), ...(serverLog !== undefined && { serverLog }) };
  if (!pods) return base;
  const server = pods.find(({ view }) => view.metadata.name === serverPodName(connect));
  const executors = pods.filter(({ view }) => view.metadata.labels?.[LABEL_SPARK_ROLE] === 'executor');
  const room = await roomOf(nodes, [...(server ? [server] : []), ...executors]);
  return {
    ...base, ...(server && { server: server.view }), ...(room && { room }),
    executors: await executorViews(client, executors, stateOf(connect) === SparkConnectState.READY, now, signal),
    isServerGone: !server && expectsServer(connect),
  };
}
