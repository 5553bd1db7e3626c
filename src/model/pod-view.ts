import {
  DRIVER_CONTAINER, LABEL_APP_NAME, LABEL_APP_UID, LABEL_CONNECT_NAME, LABEL_REVISION,
  LABEL_SCHEDULED_APP_NAME, LABEL_SPARK_APP_SELECTOR, LABEL_SPARK_EXECUTOR_ID, LABEL_SPARK_ROLE, LABEL_SUBMISSION_ID,
} from '../api/labels';
import { ExecutorState } from '../api/states';
import type { KubeObject, ObjectMeta, OwnerReference } from '../kube/objects';
import type { SharedStrings } from '../kube/shared-strings';
import { SERVER_ROLE } from '../api/connect-server';
import { endOf } from '../text/shorten';
import { boundedOwners } from './bounded-metadata';
import { boundedText, MAX_MESSAGE, MAX_NAME } from '../text/bounded-text';
import { withoutSecrets } from '../text/redaction';

/**
 * The few fields of a driver or executor Pod that decisions need; what is kept in memory of each pod.
 * Many of them are texts of any length, by users who write pods: none is kept whole.
 */
export interface PodView extends KubeObject {
  /** Of the labels, those that decisions need. */
  readonly metadata: ObjectMeta;
  /** Which executor of its driver it is, counted from 1, by Spark's label; absent for other pods. */
  readonly executorId?: number;
  /** Kubernetes' phase: Pending, Running, Succeeded, Failed or Unknown. */
  readonly phase: string;
  /** Why the pod as a whole is where it is, such as `Evicted: The node was low on resource: memory.` */
  readonly reason?: string;
  /** When the node's kubelet took the pod (RFC 3339); absent while it waits for a node. */
  readonly startTime?: string;
  /** The node that the pod was given to. */
  readonly nodeName?: string;
  /** How Spark's container ended. */
  readonly terminated?: ContainerEnd;
  /** Spark's container runs, although the pod as a whole does not: another container of it waits. */
  readonly isMainRunning?: boolean;
  /** The init container that runs or has failed. */
  readonly init?: { readonly name: string; readonly terminated?: ContainerEnd };
  /** The scheduler that is to find a node, if it has not looked at the pod yet. */
  readonly unseenBy?: string;
  /** Why the pod does not start, in Kubernetes' own words. */
  readonly obstacle?: Obstacle;
  /** Of the server of a SparkConnect: whether it takes connections. */
  readonly isReady?: boolean;
  /** Of the server of a SparkConnect: its address. */
  readonly podIP?: string;
}

/** How a container ended. */
export interface ContainerEnd {
  readonly exitCode: number;
  readonly reason?: string;
  /** The termination message: the last lines of the log when the container left none itself. */
  readonly message?: string;
  /** RFC 3339, by the clock of its node, as is the end. */
  readonly startedAt?: string;
  /** RFC 3339. */
  readonly finishedAt?: string;
}

/** What keeps a pod from starting. */
export interface Obstacle {
  /** Kubernetes' reason, such as `ImagePullBackOff` or `Unschedulable`. */
  readonly reason: string;
  /** Kubernetes' message. */
  readonly message?: string;
  /** Whether it may pass without anybody's doing, as waiting for a free node does. */
  readonly passes: boolean;
  /** Whether it is not in the pod's status, but was read from its events. @default false */
  readonly isFromEvents?: boolean;
}

/** All executors of a submission have the same. */
const KEPT_LABELS = [
  LABEL_APP_NAME, LABEL_CONNECT_NAME, LABEL_APP_UID, LABEL_SUBMISSION_ID, LABEL_REVISION, LABEL_SPARK_APP_SELECTOR, LABEL_SPARK_ROLE, LABEL_SCHEDULED_APP_NAME,
];

/** The longest part of a termination message that goes into a status: its end, where the error stands. */
const MESSAGE_LENGTH = 600;

/** Reasons of waiting containers that need somebody's doing (kubelet: pkg/kubelet/images and kuberuntime). */
const STUCK_REASONS = new Set([
  'ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'ImageInspectError', 'RegistryUnavailable',
  'CreateContainerConfigError', 'CreateContainerError', 'RunContainerError', 'CrashLoopBackOff',
]);

/** What the scheduler says of a claim that is not there (plugins/volumebinding): unlike a node, nothing brings it. */
const VOLUME_MISSING = /persistentvolumeclaim "[^"]*" not found/;

/** The parts of a Pod as the API server sends it that are read here. */
export interface RawPod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly schedulerName?: string;
    readonly containers?: readonly { readonly name: string; readonly env?: readonly { readonly name: string }[] }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly startTime?: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string; readonly message?: string }[];
    readonly containerStatuses?: readonly RawContainerStatus[];
    readonly initContainerStatuses?: readonly RawContainerStatus[];
  };
}

interface RawContainerStatus {
  readonly name: string;
  readonly started?: boolean;
  readonly state?: {
    readonly running?: object;
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: ContainerEnd;
  };
}

/**
 * Reduces a Pod to what is kept of it.
 *
 * @param strings for what many pods have in common @default - each has its own
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
      reason: keptMessage([status.reason, status.message].filter(Boolean).join(': ') || undefined),
      terminated: endOfContainer(main),
      isMainRunning: (isPending && main?.state?.running !== undefined) || undefined,
      init: initOf(status.initContainerStatuses),
      unseenBy: isPending && !scheduled && !spec?.nodeName && !status.startTime ? keptName(spec?.schedulerName) ?? 'default-scheduler' : undefined,
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

/** Without fields that are not there: most pods have few of them, and each takes its place in tens of thousands of objects. */
function present<F extends object>(fields: F): Partial<F> {
  const kept: Partial<F> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept;
}

/** All executors of a driver have the same. The API server accepts one controller of an object. */
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

/** Variables that Spark sets in its own container (BasicDriverFeatureStep, BasicExecutorFeatureStep). */
const SPARK_VARIABLES = ['SPARK_DRIVER_BIND_ADDRESS', 'SPARK_EXECUTOR_ID'];

/** The name of Spark's container. A template may give it another one, and the kubelet lists containers by their names. */
export function sparkContainerName({ spec }: RawPod): string {
  const marked = spec?.containers?.find(({ env = [] }) => env.some((variable) => SPARK_VARIABLES.includes(variable.name)));
  return marked?.name ?? DRIVER_CONTAINER;
}

function endOfContainer(container: RawContainerStatus | undefined): ContainerEnd | undefined {
  const ended = container?.state?.terminated;
  // JSON has null for moments that nobody knows.
  return ended && {
    exitCode: ended.exitCode,
    reason: keptName(ended.reason),
    message: tail(ended.message),
    startedAt: ended.startedAt ?? undefined,
    finishedAt: ended.finishedAt ?? undefined,
  };
}

/** Sidecars that are init containers by Kubernetes' way of writing them run all the time, and Spark's container begins when they have started. */
function initOf(statuses: readonly RawContainerStatus[] = []): PodView['init'] {
  const container = statuses.find(({ state, started }) => (state?.terminated ? state.terminated.exitCode !== 0 : state?.running !== undefined && started !== true));
  return container && { name: boundedText(container.name, MAX_NAME), terminated: endOfContainer(container) };
}

/** A sidecar that does not start is no obstacle: the kubelet starts Spark's container all the same. */
function obstacleOf({ status = {} }: RawPod, main: RawContainerStatus | undefined): Obstacle | undefined {
  if (status.phase !== undefined && status.phase !== 'Pending') return undefined;
  if (main?.state?.running || main?.state?.terminated) return undefined;
  for (const container of [...(status.initContainerStatuses ?? []), ...(main ? [main] : [])]) {
    const waiting = container.state?.waiting;
    if (waiting?.reason && STUCK_REASONS.has(waiting.reason)) {
      return { reason: waiting.reason, message: keptMessage(waiting.message && withoutSecrets(waiting.message)), passes: false };
    }
  }
  const scheduled = status.conditions?.find((condition) => condition.type === 'PodScheduled');
  if (scheduled?.status === 'False') {
    const isMissing = VOLUME_MISSING.test(scheduled.message ?? '');
    return { reason: keptName(scheduled.reason) ?? 'Unschedulable', message: keptMessage(scheduled.message), passes: !isMissing };
  }
  return undefined;
}

/** Lines that Spark logs at its lower levels, in the pattern of its default configuration (`26/03/01 10:00:00 INFO …`). */
const CHATTER = /^\d{2}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2} (?:TRACE|DEBUG|INFO|WARN) /;

/** What the JVM says of the modules that Spark starts it with (JavaModuleOptions), before anything happens. */
const GREETING = /^WARNING: Using incubator modules: /;

/** Lines of a JVM's stack trace below the one with the message. */
const STACK_FRAME = /^\s+at \S|^\s+\.\.\. \d+ more$/;

/** The end of a message. Where it is the end of a log, what Spark logs while it shuts down and stack frames hide the error: they are left out. */
function tail(message: string | undefined): string | undefined {
  const lines = (message ?? '').trim().split('\n').filter((line) => !GREETING.test(line));
  const telling = lines.filter((line) => !CHATTER.test(line) && !STACK_FRAME.test(line)).join('\n').trim();
  // Cut generously first, so that a secret at the cut is still seen as one.
  const text = withoutSecrets(endOf(telling || lines.join('\n'), 4 * MESSAGE_LENGTH));
  if (!text) return undefined;
  return boundedText(text.length > MESSAGE_LENGTH ? `…${endOf(text, MESSAGE_LENGTH)}` : text, MESSAGE_LENGTH + 1);
}

/**
 * The state of a driver. Spark's container counts, even while a sidecar goes on, fails or does not start beside it.
 */
export function driverState(pod: PodView): ExecutorState {
  if (pod.terminated) return pod.terminated.exitCode === 0 ? ExecutorState.COMPLETED : ExecutorState.FAILED;
  return pod.isMainRunning ? ExecutorState.RUNNING : podState(pod);
}

/** Whether a driver has come to an end, well or badly. */
export function hasEnded(pod: PodView): boolean {
  const state = driverState(pod);
  return state === ExecutorState.COMPLETED || state === ExecutorState.FAILED;
}

/** The state of an executor. */
export function podState(pod: PodView): ExecutorState {
  switch (pod.phase) {
    case 'Pending': return ExecutorState.PENDING;
    case 'Running': return ExecutorState.RUNNING;
    case 'Succeeded': return ExecutorState.COMPLETED;
    case 'Failed': return ExecutorState.FAILED;
    default: return ExecutorState.UNKNOWN;
  }
}
