import { isTerminal, ApplicationState } from '../../api/states';
import { SparkConnectState } from '../../api/spark-connect-status';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import { SPARK_APPLICATIONS, SPARK_CONNECTS } from '../../model/resources';
import { stateOf, type SparkApplication } from '../../model/spark-application';
import { stateOf as connectStateOf, type SparkConnect } from '../../model/spark-connect';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import type { Installation } from './installation';

/** States in which nothing of an application is in the cluster. */
const AT_REST: readonly string[] = [ApplicationState.NEW, ApplicationState.SUSPENDED, ApplicationState.SUBMISSION_FAILED];

const SERVERS_AT_REST: readonly string[] = [SparkConnectState.NEW, SparkConnectState.FAILED, SparkConnectState.SUSPENDED];

/** Whether an application has pods, or is about to get some. */
export function isRunning(application: SparkApplication): boolean {
  const state = stateOf(application);
  return !isTerminal(state) && !AT_REST.includes(state);
}

/** Whether a server of Spark Connect has pods. */
export function isServing(connect: SparkConnect): boolean {
  return !SERVERS_AT_REST.includes(connectStateOf(connect));
}

/**
 * Where applications depend on what is installed; undefined for everywhere.
 *
 * @param installation the operator; undefined if it is gone already, and only the rest of it is left
 */
export function reachOf(installation: Installation | undefined, objects: readonly KubeObject[]): readonly string[] | undefined {
  if (installation) return installation.isClusterWide ? undefined : installation.jobNamespaces;
  if (objects.some(({ kind }) => kind === 'ClusterRoleBinding')) return undefined;
  return [...new Set(objects.map(({ kind, metadata: { name, namespace } }) => (kind === 'Namespace' ? name : namespace)).filter((name) => name !== undefined))];
}

/**
 * What runs, as `kind namespace/name (state)`.
 *
 * @param namespaces where; undefined: everywhere
 */
export async function runningIn(client: Pick<KubeClient, 'list'>, namespaces: readonly string[] | undefined, signal: AbortSignal): Promise<string[]> {
  const applications = await titlesOf(client, SPARK_APPLICATIONS, namespaces, signal, (object) => (isRunning(object) ? stateOf(object) : undefined));
  const servers = await titlesOf(client, SPARK_CONNECTS, namespaces, signal, (object) => (isServing(object) ? connectStateOf(object) : undefined));
  return [...applications, ...servers];
}

async function titlesOf<T extends KubeObject>(
  client: Pick<KubeClient, 'list'>, resource: Resource<T>, namespaces: readonly string[] | undefined, signal: AbortSignal, look: (object: T) => string | undefined,
): Promise<string[]> {
  const titles: string[] = [];
  for (const namespace of namespaces ?? [undefined]) {
    try {
      for await (const object of client.list(resource, { namespace, signal })) {
        const state = look(object);
        if (state !== undefined) titles.push(`${resource.kind} ${object.metadata.namespace}/${object.metadata.name} (${state})`);
      }
    } catch (error) {
      // Without the CRD there are none.
      if (!isNotFound(error)) throw error;
    }
  }
  return titles;
}
