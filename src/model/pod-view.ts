import {
  DRIVER_CONTAINER, LABEL_APP_NAME, LABEL_APP_UID, LABEL_CONNECT_NAME, LABEL_REVISION,
  LABEL_SCHEDULED_APP_NAME, LABEL_SPARK_APP_SELECTOR, LABEL_SPARK_EXECUTOR_ID, LABEL_SPARK_ROLE, LABEL_SUBMISSION_ID,
  SUBMITTER_CONTAINER, SUBMITTER_ROLE,
} from '../api/labels';
import { ExecutorState } from '../api/states';
import type { KubeObject, ObjectMeta, OwnerReference } from '../kube/objects';
import type { SharedStrings } from '../kube/shared-strings';
import { SERVER_ROLE } from '../api/connect-server';
import { endOf } from '../text/shorten';
import { boundedOwners } from './bounded-metadata';
import { causeInMessage } from './cause/container-cause';
import { isJavaFrame } from './cause/own-frame';
import { isMissingClaim, isStuckReason, reasonWithMessage } from './obstacle';
import { boundedText, MAX_MESSAGE, MAX_NAME } from '../text/bounded-text';
import { MAX_LENGTH, withoutSecrets } from '../text/redaction';

/**
 * The fields of a driver or executor Pod that decisions need; only these are kept in memory.
 *
 * Many of them are texts without a limit of length in pods that users create. Long texts are
 * shortened.
 */
export interface PodView extends KubeObject {
  /** Metadata with only the labels that decisions need. */
  readonly metadata: ObjectMeta;
  /** Executor ID by Spark's label, counted from 1; absent for other pods. */
  readonly executorId?: number;
  /** Kubernetes' phase: Pending, Running, Succeeded, Failed or Unknown. */
  readonly phase: string;
  /**
   * Reason and message of the pod's status, such as `Evicted: The node was low on resource:
   * memory.`
   */
  readonly reason?: string;
  /** Time at which the kubelet accepted the pod (RFC 3339); absent until it is bound to a node. */
  readonly startTime?: string;
  /** Node to which the scheduler bound the pod. */
  readonly nodeName?: string;
  /** Start of Spark's container while it runs (RFC 3339, by the clock of its node). */
  readonly startedAt?: string;
  /** Termination of Spark's container. */
  readonly terminated?: ContainerEnd;
  /** Whether Spark's container runs while the pod is Pending, because another container waits. */
  readonly isMainRunning?: boolean;
  /** Init container that is running or has failed. */
  readonly init?: { readonly name: string; readonly terminated?: ContainerEnd };
  /** Name of the scheduler, if it has not processed the pod yet. */
  readonly unseenBy?: string;
  /** Reason why the pod does not start, from Kubernetes. */
  readonly obstacle?: Obstacle;
  /** Whether the server accepts connections. Only for servers of SparkConnects. */
  readonly isReady?: boolean;
  /** Address of the server. Only for servers of SparkConnects. */
  readonly podIP?: string;
}

/** Termination of a container. */
export interface ContainerEnd {
  readonly exitCode: number;
  readonly reason?: string;
  /**
   * Cause in one line, by the container's termination message, which is its own or the last lines
   * of its log. For spark-submit: the last lines themselves.
   */
  readonly message?: string;
  /** Memory limit of the container. Only if it was exceeded. */
  readonly memoryLimit?: string;
  /** Start time in RFC 3339, by the clock of its node. */
  readonly startedAt?: string;
  /** End time in RFC 3339, by the clock of its node. */
  readonly finishedAt?: string;
}

/** Reason why a pod does not start. */
export interface Obstacle {
  /** Kubernetes' reason, such as `ImagePullBackOff` or `Unschedulable`. */
  readonly reason: string;
  /** Kubernetes' message. */
  readonly message?: string;
  /** Whether it can disappear without user action, for example when a node becomes free. */
  readonly passes: boolean;
  /** Whether it comes from the pod's events instead of its status. @default false */
  readonly isFromEvents?: boolean;
}

/** Labels to keep; they are the same for all executors of a submission. */
const KEPT_LABELS = [
  LABEL_APP_NAME, LABEL_CONNECT_NAME, LABEL_APP_UID, LABEL_SUBMISSION_ID, LABEL_REVISION, LABEL_SPARK_APP_SELECTOR,
  LABEL_SPARK_ROLE, LABEL_SCHEDULED_APP_NAME,
];

/**
 * Maximum length in characters of the last lines of spark-submit; the kubelet keeps 4096 bytes.
 */
const SUBMITTER_MESSAGE_LENGTH = 4_000;

/** Fields of a Pod of the API that `viewOf` reads. */
export interface RawPod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly schedulerName?: string;
    readonly containers?: readonly RawContainer[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly startTime?: string;
    readonly podIP?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly containerStatuses?: readonly RawContainerStatus[];
    readonly initContainerStatuses?: readonly RawContainerStatus[];
  };
}

interface RawContainer {
  readonly name: string;
  readonly env?: readonly { readonly name: string }[];
  readonly resources?: { readonly limits?: { readonly memory?: string | number } };
}

interface RawContainerStatus {
  readonly name: string;
  readonly started?: boolean;
  readonly state?: {
    readonly running?: { readonly startedAt?: string | null };
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: ContainerEnd;
  };
}

/**
 * Returns the fields of a Pod to keep in memory.
 *
 * @param strings table of strings that many pods have in common @default - each pod has its own
 */
export function viewOf(pod: KubeObject, strings?: SharedStrings): PodView {
  const share = (text: string | undefined) => (text === undefined || !strings ? text : strings.share(text));
  const { metadata, spec, status = {} } = pod as RawPod;
  const statuses = status.containerStatuses ?? [];
  const name = sparkContainerName(pod as RawPod);
  const main = statuses.find((container) => container.name === name) ?? statuses[0];
  const scheduled = status.conditions?.some((condition) => condition.type === 'PodScheduled');
  const isPending = (status.phase ?? 'Pending') === 'Pending';
  const executorId = metadata.labels?.[LABEL_SPARK_EXECUTOR_ID];
  return {
    metadata: {
      name: metadata.name,
      namespace: share(metadata.namespace),
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
      creationTimestamp: share(metadata.creationTimestamp),
      ownerReferences: metadata.ownerReferences && controllersOf(metadata.ownerReferences, strings),
      labels: labelsOf(metadata, strings),
      ...present({ deletionTimestamp: metadata.deletionTimestamp }),
    },
    phase: share(keptName(status.phase)) ?? 'Pending',
    startTime: share(status.startTime),
    nodeName: share(keptName(spec?.nodeName)),
    ...present({
      executorId: executorId === undefined ? undefined : Number(executorId),
      reason: keptMessage(reasonWithMessage(status) || undefined),
      startedAt: share(main?.state?.running?.startedAt ?? undefined),
      terminated: endOfContainer(main, spec?.containers, isSubmitter(pod) ? tail : undefined),
      isMainRunning: (isPending && main?.state?.running !== undefined) || undefined,
      init: initOf(status.initContainerStatuses),
      unseenBy: isPending && !scheduled && !spec?.nodeName && !status.startTime
        ? keptName(spec?.schedulerName) ?? 'default-scheduler'
        : undefined,
      obstacle: obstacleOf(pod as RawPod, main),
    }),
    ...(metadata.labels?.[LABEL_SPARK_ROLE] === SERVER_ROLE && {
      isReady: status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false,
      ...(status.podIP !== undefined && { podIP: keptName(status.podIP) }),
    }),
  };
}

function keptName(name: string | undefined): string | undefined {
  return name === undefined ? undefined : boundedText(name, MAX_NAME);
}

function keptMessage(message: string | undefined): string | undefined {
  return message === undefined ? undefined : boundedText(message, MAX_MESSAGE);
}

/**
 * Returns fields without undefined ones. Most pods have few of these fields, and each takes memory
 * in tens of thousands of objects.
 */
function present<F extends object>(fields: F): Partial<F> {
  const kept: Partial<F> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept;
}

/**
 * Returns the controller reference, shared by all executors of a driver. The API server accepts one
 * controller per object.
 */
function controllersOf(owners: readonly OwnerReference[], strings: SharedStrings | undefined): readonly OwnerReference[] {
  const controllers = boundedOwners(owners.filter(({ controller }) => controller).slice(0, 1));
  return strings ? strings.shareObject(JSON.stringify(controllers), () => controllers) : controllers;
}

function labelsOf({ labels = {} }: ObjectMeta, strings: SharedStrings | undefined): Record<string, string> {
  const values = KEPT_LABELS.map((key) => labels[key]);
  const keep = () => Object.fromEntries(KEPT_LABELS.flatMap((key, index) => {
    const value = values[index];
    return value === undefined ? [] : [[key, strings?.share(value) ?? value]];
  }));
  return strings ? strings.shareObject(JSON.stringify(values), keep) : keep();
}

/**
 * Variables that Spark sets in its own container (BasicDriverFeatureStep,
 * BasicExecutorFeatureStep).
 */
const SPARK_VARIABLES = ['SPARK_DRIVER_BIND_ADDRESS', 'SPARK_EXECUTOR_ID'];

/**
 * Returns the name of Spark's container. A pod template can change it, and the kubelet lists
 * containers in the order of names.
 */
export function sparkContainerName({ metadata, spec }: RawPod): string {
  if (isSubmitter({ metadata })) return SUBMITTER_CONTAINER;
  const marked = spec?.containers?.find(({ env = [] }) => env.some((variable) => SPARK_VARIABLES.includes(variable.name)));
  return marked?.name ?? DRIVER_CONTAINER;
}

/** Whether a pod runs spark-submit. */
export function isSubmitter({ metadata }: KubeObject): boolean {
  return metadata.labels?.[LABEL_SPARK_ROLE] === SUBMITTER_ROLE;
}

/** @param messageOf returns what is kept of the message @default - its cause */
function endOfContainer(
  container: RawContainerStatus | undefined, containers?: readonly RawContainer[],
  messageOf?: (message: string | undefined) => string | undefined,
): ContainerEnd | undefined {
  const ended = container?.state?.terminated;
  if (!ended) return undefined;
  const limit = containers?.find(({ name }) => name === container!.name)?.resources?.limits?.memory;
  // In JSON, unknown times are null.
  return {
    exitCode: ended.exitCode,
    reason: keptName(ended.reason),
    message: messageOf ? messageOf(ended.message) : causeInMessage(ended),
    ...(ended.reason === 'OOMKilled' && limit !== undefined && { memoryLimit: keptName(String(limit)) }),
    startedAt: ended.startedAt ?? undefined,
    finishedAt: ended.finishedAt ?? undefined,
  };
}

/**
 * Returns the init container that is running or has failed. Native sidecars run all the time;
 * Spark's container starts after they have started.
 */
function initOf(statuses: readonly RawContainerStatus[] = []): PodView['init'] {
  const container = statuses.find(({ state, started }) => (state?.terminated
    ? state.terminated.exitCode !== 0
    : state?.running !== undefined && started !== true));
  return container && { name: boundedText(container.name, MAX_NAME), terminated: endOfContainer(container) };
}

/**
 * Returns the reason why a pod does not start. A sidecar that does not start is no such reason: the
 * kubelet still starts Spark's container.
 */
function obstacleOf({ status = {} }: RawPod, main: RawContainerStatus | undefined): Obstacle | undefined {
  if (status.phase !== undefined && status.phase !== 'Pending') return undefined;
  if (main?.state?.running || main?.state?.terminated) return undefined;
  for (const container of [...(status.initContainerStatuses ?? []), ...(main ? [main] : [])]) {
    const waiting = container.state?.waiting;
    if (waiting?.reason && isStuckReason(waiting.reason)) {
      return { reason: waiting.reason, message: keptMessage(waiting.message && withoutSecrets(waiting.message)), passes: false };
    }
  }
  const scheduled = status.conditions?.find((condition) => condition.type === 'PodScheduled');
  if (scheduled?.status === 'False') {
    const isMissing = isMissingClaim(scheduled.message);
    return { reason: keptName(scheduled.reason) ?? 'Unschedulable', message: keptMessage(scheduled.message), passes: !isMissing };
  }
  return undefined;
}

/** Log lines of Spark at WARN or below, in its default pattern (`26/03/01 10:00:00 INFO …`). */
const LOWER_LEVEL_LINE = /^\d{2}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2} (?:TRACE|DEBUG|INFO|WARN) /;

/** Warning of the JVM about the modules with which Spark starts it (JavaModuleOptions). */
const MODULES_WARNING = /^WARNING: Using incubator modules: /;

/**
 * Returns the end of the output of spark-submit, without stack frames and log lines of lower
 * levels.
 */
function tail(message: string | undefined): string | undefined {
  const length = SUBMITTER_MESSAGE_LENGTH;
  const lines = (message ?? '').trim().split('\n').filter((line) => !MODULES_WARNING.test(line));
  const relevant = lines.filter((line) => !LOWER_LEVEL_LINE.test(line) && !isJavaFrame(line)).join('\n').trim();
  // Leaves a margin at the first cut, so that the redaction still recognizes a secret there.
  const text = withoutSecrets(endOf(relevant || lines.join('\n'), Math.min(4 * length, MAX_LENGTH)));
  if (!text) return undefined;
  return boundedText(text.length > length ? `…${endOf(text, length)}` : text, length + 1);
}

/**
 * Returns the state of a driver, or of another pod as users see it. It depends only on Spark's
 * container: sidecars can run longer, fail, or not start.
 */
export function driverState(pod: PodView): ExecutorState {
  if (pod.terminated) return pod.terminated.exitCode === 0 ? ExecutorState.COMPLETED : ExecutorState.FAILED;
  return pod.isMainRunning ? ExecutorState.RUNNING : podState(pod);
}

/** Whether a driver has succeeded or failed. */
export function hasEnded(pod: PodView): boolean {
  const state = driverState(pod);
  return state === ExecutorState.COMPLETED || state === ExecutorState.FAILED;
}

/** Returns the state of an executor. */
export function podState(pod: PodView): ExecutorState {
  switch (pod.phase) {
    case 'Pending': return ExecutorState.PENDING;
    case 'Running': return ExecutorState.RUNNING;
    case 'Succeeded': return ExecutorState.COMPLETED;
    case 'Failed': return ExecutorState.FAILED;
    default: return ExecutorState.UNKNOWN;
  }
}
