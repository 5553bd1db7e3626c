import { SERVER_ROLE } from '../../api/connect-server';
import { LABEL_APP_NAME, LABEL_CONNECT_NAME, LABEL_SPARK_ROLE } from '../../api/labels';
import { expectsServer, isConnectAtRest, type ObservedConnect } from '../../explain/connect/observed';
import type { ObservedApplication } from '../../explain/explain';
import { isAtRest } from '../../explain/unattended';
import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import { isOwnPod } from '../../model/own-pod';
import { readPresences, type OperatorPresence } from '../../model/operator-presence';
import { viewOf, type PodView } from '../../model/pod-view';
import { PODS, SPARK_APPLICATIONS } from '../../model/resources';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { expectsDriver, needsDriver, type WholeApplication } from '../../model/spark-application';
import { serverPodName, type WholeConnect } from '../../model/spark-connect';
import { printable } from '../../text/printable';
import type { KindName } from '../target';
import { presencesOf } from '../view/presence';

/** Facts about the objects of a list that their status does not have. */
export interface ListFacts {
  /** Returns an application with the facts about it. */
  observed(application: WholeApplication, now: number): ObservedApplication;
  /** Returns a Spark Connect server with the facts about it. */
  observedConnect(connect: WholeConnect, now: number): ObservedConnect;
  /** Returns whether the operator of a schedule runs; undefined if that is unknown. */
  operatorOf(schedule: ScheduledSparkApplication): OperatorPresence | undefined;
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
export const NO_FACTS: ListFacts = {
  observed: (application, now) => ({ application, now }), observedConnect: (connect, now) => ({ connect, now }),
  operatorOf: () => undefined,
};

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
  const pods = await podsIn(client, scope, { name: LABEL_APP_NAME, role: 'driver' }, {
    isStarted: started.length > 0, isStale: started.some((application) => !operators.of(application)?.isActive),
  });
  return {
    ...NO_FACTS,
    observed(application, at) {
      const driverName = application.status?.driverInfo?.podName;
      const { main, others } = pods.of(application, driverName);
      return {
        application, now: at, operator: operators.of(application), driver: main, ...others,
        isDriverGone: pods.hasMain && main === undefined && needsDriver(application, at),
      };
    },
    isWithoutPods: started.length > 0 && !pods.hasPending,
  };
}

/** Reads the facts about Spark Connect servers, in as few calls as those about applications. */
export async function readConnectFacts(client: FactsClient, connects: readonly WholeConnect[], scope: ListScope): Promise<ListFacts> {
  const { now, signal } = scope;
  const active = connects.filter((connect) => !isConnectAtRest(connect));
  if (active.length === 0) return NO_FACTS;
  const operators = await presencesOf(client, connects, [SPARK_APPLICATIONS], now, signal);
  const started = active.filter(expectsServer);
  const pods = await podsIn(client, scope, { name: LABEL_CONNECT_NAME, role: SERVER_ROLE }, {
    isStarted: started.length > 0, isStale: started.some((connect) => !operators.of(connect)?.isActive),
  });
  return {
    ...NO_FACTS,
    observedConnect(connect, at) {
      const { main, others } = pods.of(connect, serverPodName(connect));
      return {
        connect, now: at, operator: operators.of(connect), server: main, ...others,
        isServerGone: pods.hasMain && main === undefined && expectsServer(connect),
      };
    },
  };
}

/** Reads the facts about the objects of a list. */
export async function readFactsOf(
  client: FactsClient, kind: KindName, objects: readonly KubeObject[], scope: ListScope,
): Promise<ListFacts> {
  switch (kind) {
    case 'application': return readFacts(client, objects as WholeApplication[], scope);
    case 'connect': return readConnectFacts(client, objects as WholeConnect[], scope);
    case 'schedule': {
      const schedules = objects as ScheduledSparkApplication[];
      return { ...NO_FACTS, operatorOf: (await readPresences(client, schedules, scope.now, scope.signal)).of };
    }
  }
}

/** Returns the note that a list of what needs attention is incomplete. */
export function withoutPods(namespace: string | undefined): string {
  const place = namespace === undefined ? '-A' : `-n ${printable(namespace)}`;
  return `Applications might be missing, as you cannot read pods: \`kubectl auth can-i list pods ${place}\``;
}

/** Pods of the objects of a list. */
interface ListedPods {
  /** Whether pending pods were read. */
  readonly hasPending: boolean;
  /** Whether all drivers, or servers, were read. */
  readonly hasMain: boolean;
  /** Returns the pods of an object by the name of its driver or server. */
  of(object: KubeObject, mainName: string | undefined): {
    readonly main?: PodView;
    /** Its pending executors, if they were read. */
    readonly others: Pick<ObservedApplication, 'waiting'>;
  };
}

/**
 * Reads pending pods, and all drivers or servers if statuses might be stale.
 *
 * @param label label with the name of the object, and role of its main pod
 */
async function podsIn(
  client: FactsClient, scope: ListScope, { name, role }: { readonly name: string; readonly role: string },
  { isStarted, isStale }: { readonly isStarted: boolean; readonly isStale: boolean },
): Promise<ListedPods> {
  const [pending, main] = await Promise.all([
    isStarted ? selectedPods(client, scope, name, 'status.phase=Pending') : undefined,
    isStale ? selectedPods(client, scope, `${name},${LABEL_SPARK_ROLE}=${role}`) : undefined,
  ]);
  const pods = new Map<string, PodView[]>();
  for (const pod of [...(main ?? []), ...(pending ?? [])]) {
    const key = `${pod.metadata.namespace}/${pod.metadata.labels?.[name]}`;
    const own = pods.get(key);
    if (own) own.push(pod);
    else pods.set(key, [pod]);
  }
  return {
    hasPending: pending !== undefined,
    hasMain: main !== undefined,
    of(object, mainName) {
      const { namespace, name: objectName } = object.metadata;
      const own = (pods.get(`${namespace}/${objectName}`) ?? []).filter((pod) => isOwnPod(pod, object));
      return {
        main: own.find(({ metadata }) => metadata.name === mainName),
        others: pending ? { waiting: own.filter(({ metadata }) => metadata.labels?.[LABEL_SPARK_ROLE] === 'executor') } : {},
      };
    },
  };
}

/** @returns undefined if the user cannot list pods */
async function selectedPods(
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
