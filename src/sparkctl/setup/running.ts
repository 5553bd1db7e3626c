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

/** States in which an application has no pods. */
const INACTIVE_STATES: readonly string[] = [ApplicationState.NEW, ApplicationState.SUSPENDED, ApplicationState.SUBMISSION_FAILED];

const INACTIVE_SERVER_STATES: readonly string[] = [SparkConnectState.NEW, SparkConnectState.FAILED, SparkConnectState.SUSPENDED];

/** Returns whether an application has pods or will get some. */
export function isRunning(application: SparkApplication): boolean {
  const state = stateOf(application);
  return !isTerminal(state) && !INACTIVE_STATES.includes(state);
}

/** Returns whether a Spark Connect server has pods. */
export function isServing(connect: SparkConnect): boolean {
  return !INACTIVE_SERVER_STATES.includes(connectStateOf(connect));
}

/**
 * Returns the namespaces whose applications depend on the installation; undefined for all.
 *
 * @param installation operator; undefined if only other objects of the installation still exist
 */
export function reachOf(installation: Installation | undefined, objects: readonly KubeObject[]): readonly string[] | undefined {
  if (installation) return installation.isClusterWide ? undefined : installation.jobNamespaces;
  if (objects.some(({ kind }) => kind === 'ClusterRoleBinding')) return undefined;
  return [...new Set(objects.map(({ kind, metadata: { name, namespace } }) => (kind === 'Namespace'
    ? name
    : namespace)).filter((name) => name !== undefined))];
}

/**
 * Lists running applications and servers, as `kind namespace/name (state)`.
 *
 * @param namespaces namespaces to search; undefined: all
 */
export async function runningIn(
  client: Pick<KubeClient, 'list'>, namespaces: readonly string[] | undefined, signal: AbortSignal,
): Promise<string[]> {
  const applications = await titlesOf(client, SPARK_APPLICATIONS, namespaces, signal, (object) => (isRunning(object)
    ? stateOf(object)
    : undefined));
  const servers = await titlesOf(client, SPARK_CONNECTS, namespaces, signal, (object) => (isServing(object)
    ? connectStateOf(object)
    : undefined));
  return [...applications, ...servers];
}

async function titlesOf<T extends KubeObject>(
  client: Pick<KubeClient, 'list'>, resource: Resource<T>, namespaces: readonly string[] | undefined, signal: AbortSignal,
  activeState: (object: T) => string | undefined,
): Promise<string[]> {
  const titles: string[] = [];
  for (const namespace of namespaces ?? [undefined]) {
    try {
      for await (const object of client.list(resource, { namespace, signal })) {
        const state = activeState(object);
        if (state !== undefined) titles.push(`${resource.kind} ${object.metadata.namespace}/${object.metadata.name} (${state})`);
      }
    } catch (error) {
      // Without the CRD there are no objects.
      if (!isNotFound(error)) throw error;
    }
  }
  return titles;
}
