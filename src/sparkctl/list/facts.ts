import { LABEL_APP_NAME, LABEL_APP_UID, LABEL_SPARK_ROLE } from '../../api/labels';
import type { ObservedApplication } from '../../explain/explain';
import { isAtRest } from '../../explain/unattended';
import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { readPresences, type OperatorPresences } from '../../model/operator-presence';
import { viewOf, type PodView } from '../../model/pod-view';
import { PODS } from '../../model/resources';
import { expectsDriver, needsDriver, type WholeApplication } from '../../model/spark-application';
import { printable } from '../../text/printable';

/** Facts about the applications of a list that their status does not have. */
export interface ListFacts {
  /** Returns an application with the facts about it. */
  observed(application: WholeApplication, now: number): ObservedApplication;
  /** Whether the user cannot list pods that have reasons of states. @default false */
  readonly isWithoutPods?: boolean;
}

/** Methods of the client that reading facts needs. */
export type FactsClient = Pick<KubeClient, 'get' | 'list'>;

/** Scope of a list. */
export interface ListScope {
  /** @default - all namespaces */
  readonly namespace?: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal?: AbortSignal;
}

/** Facts without reading anything. */
export const NO_FACTS: ListFacts = { observed: (application, now) => ({ application, now }) };

/**
 * Reads the facts about applications, in a few calls for all of them: the operator's Lease, the
 * pending pods, and the drivers unless an operator keeps the status current. Facts that the user
 * cannot read are missing.
 */
export async function readFacts(client: FactsClient, applications: readonly WholeApplication[], scope: ListScope): Promise<ListFacts> {
  const { now, signal } = scope;
  const active = applications.filter((application) => !isAtRest(application));
  if (active.length === 0) return NO_FACTS;
  const operators = await readPresences(client, applications, now, signal);
  const started = active.filter(expectsDriver);
  const isStale = started.some((application) => !operators.of(application)?.isActive);
  const [pending, drivers] = await Promise.all([
    started.length === 0 ? undefined : podsIn(client, scope, LABEL_APP_NAME, 'status.phase=Pending'),
    isStale ? podsIn(client, scope, `${LABEL_APP_NAME},${LABEL_SPARK_ROLE}=driver`) : undefined,
  ]);
  return { ...factsOf(operators, pending, drivers), isWithoutPods: started.length > 0 && pending === undefined };
}

/** Returns the note that a list of what needs attention is incomplete. */
export function withoutPods(namespace: string | undefined): string {
  const place = namespace === undefined ? '-A' : `-n ${printable(namespace)}`;
  return `Applications might be missing, as you cannot read pods: \`kubectl auth can-i list pods ${place}\``;
}

function factsOf(operators: OperatorPresences, pending: PodView[] | undefined, drivers: PodView[] | undefined): ListFacts {
  const pods = new Map<string, PodView[]>();
  for (const pod of [...(drivers ?? []), ...(pending ?? [])]) {
    const key = `${pod.metadata.namespace}/${pod.metadata.labels?.[LABEL_APP_NAME]}`;
    const own = pods.get(key);
    if (own) own.push(pod);
    else pods.set(key, [pod]);
  }
  return {
    observed(application, now) {
      const { metadata: { namespace, name, uid }, status } = application;
      const own = (pods.get(`${namespace}/${name}`) ?? []).filter(({ metadata }) => (metadata.labels?.[LABEL_APP_UID] ?? uid) === uid);
      const driverName = status?.driverInfo?.podName;
      const driver = own.find(({ metadata }) => metadata.name === driverName);
      return {
        application, driver, now,
        operator: operators.of(application),
        isDriverGone: drivers !== undefined && driver === undefined && needsDriver(application, now),
        ...(pending && { waiting: own.filter(({ metadata }) => metadata.labels?.[LABEL_SPARK_ROLE] === 'executor') }),
      };
    },
  };
}

/** @returns undefined if the user cannot list pods */
async function podsIn(
  client: FactsClient, { namespace, signal }: ListScope, labelSelector: string, fieldSelector?: string,
): Promise<PodView[] | undefined> {
  const pods: PodView[] = [];
  try {
    for await (const pod of client.list(PODS, { namespace, labelSelector, fieldSelector, signal })) pods.push(viewOf(pod));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return undefined;
  }
  return pods;
}
