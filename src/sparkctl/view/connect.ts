import { CONNECT_PORT } from '../../api/connect-server';
import { SparkConnectState } from '../../api/spark-connect-status';
import { explainConnect } from '../../explain/connect/explain';
import { isConnectAtRest, serverCondition, type ObservedConnect } from '../../explain/connect/observed';
import { serviceNameOf, stateOf } from '../../model/spark-connect';
import type { Paint } from '../../text/colours';
import { printable } from '../../text/printable';
import { fieldLines } from './fields';
import { ageOf, agoText, connectExecutorsText, reasonedConnectState, restartsOf } from './rows';

/** Returns the lines of `sparkctl status` for a Spark Connect server. */
export function connectLines(known: ObservedConnect, paint: Paint, columns?: number): string[] {
  const { connect, server, isServerGone, now } = known;
  const { metadata, status } = connect;
  const { sentence, remedy } = explainConnect(known);
  const podName = status?.server?.podName ?? server?.metadata.name;
  const url = status?.server?.webUIIngressAddress;
  return fieldLines([
    ['Name', printable(metadata.name)],
    ['Namespace', printable(metadata.namespace)],
    ['State', reasonedConnectState(known, paint)],
    ['Why', `${printable(sentence)}.`],
    ['To do', remedy === undefined ? undefined : paint(printable(remedy), 'yellow')],
    ['Server', podName === undefined ? undefined : printable(`${podName}${placeOf(known)}`)],
    ['Executors', isConnectAtRest(connect) || !status ? undefined
      : isServerGone ? 'unknown, as its server is gone' : `${connectExecutorsText(connect, known.executors)} run`],
    ['Pods', known.executors || isConnectAtRest(connect) ? undefined
      : `you cannot read them: \`kubectl auth can-i list pods -n ${printable(metadata.namespace)}\``],
    ['Restarts', restartsOf(connect) > 0 ? String(restartsOf(connect)) : undefined],
    [isConnectAtRest(connect) ? 'Ended' : 'Last end', lastEnd(known)],
    ['Idle', status?.idleSince && `for ${agoText(status.idleSince, now).replace(/ ago$/, '')} (since ${printable(status.idleSince)})`],
    ['Address', printable(addressText(known))],
    ['Web UI', url && printable(url)],
    ['Age', ageOf(connect, now)],
  ], '', columns);
}

/** Returns where a server's pod is, or that it does not exist. */
function placeOf({ server, executors }: ObservedConnect): string {
  return server?.nodeName ? ` on ${server.nodeName}` : executors && !server ? ' (does not exist)' : '';
}

/** Reasons of a server that is stopped. The status has the time of its end at once. */
const STOPPING: readonly unknown[] = ['Suspending', 'ServerReplaced'];

/** Returns when a server last ended. */
function lastEnd({ connect, server, now }: ObservedConnect): string | undefined {
  const end = connect.status?.lastTerminationTime;
  const isStopping = server && !server.terminated && STOPPING.includes(serverCondition(connect).reason);
  return end === undefined || isStopping ? undefined : `${agoText(end, now)} (${printable(end)})`;
}

/** Returns the address for clients in the cluster, and how to reach it from elsewhere. */
function addressText({ connect, isServerGone }: ObservedConnect): string {
  const { name, namespace } = connect.metadata;
  const address = `sc://${connect.status?.server?.serviceName ?? serviceNameOf(connect)}.${namespace}:${CONNECT_PORT}`;
  if (stateOf(connect) !== SparkConnectState.READY || isServerGone) return address;
  return `${address}; \`sparkctl forward connect/${name} -n ${namespace} --port=${CONNECT_PORT}\` opens it here`;
}
