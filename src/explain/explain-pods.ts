import { because, withRemedy, type Clauses, type ExplanationText } from './explanation';
import { roomAdvice, type Room } from './room';
import { obstacleText } from '../model/cause/obstacle-text';
import { reasonWithMessage } from '../model/obstacle';
import { podState, type PodView } from '../model/pod-view';
import { shortDuration } from '../text/duration';

/** Driver or server that has not started. */
export interface WaitingPod {
  readonly role: 'driver' | 'server';
  /** Kubernetes' reason and message in the status. @default - that of the pod */
  readonly reason?: string;
  /** @default - not read, or it does not exist */
  readonly pod?: PodView;
  /** Begin of the wait, in milliseconds since 1970; NaN if unknown. */
  readonly since: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Returns for how long a driver or server has waited, and for what.
 *
 * @returns also the reason as Kubernetes wrote it, if there is one
 */
export function waitText({ role, reason: known, pod, since, now }: WaitingPod): Clauses & { readonly reason?: string } {
  const waits = `The ${role} has waited${Number.isFinite(since) ? ` for ${shortDuration(now - since)}` : ''}`;
  const reason = known ?? (pod?.obstacle && reasonWithMessage(pod.obstacle));
  if (reason) return { ...because(waits, obstacleText(reason)), reason };
  const where = pod === undefined ? '' : pod.nodeName ? `, on node ${pod.nodeName}, which prepares it` : ', and has no node yet';
  return { sentence: `${waits}${where}` };
}

/**
 * Returns the explanation of a wait with its remedy.
 *
 * @param room that no node has @default - nodes have it, or it is unknown
 */
export function withWaitRemedy(explanation: ExplanationText, reason: string | undefined, room: Room | undefined): ExplanationText {
  if (reason !== undefined && room) return { ...explanation, remedy: roomAdvice(room) };
  const { remedy, ...others } = withRemedy(explanation, reason);
  if (remedy === undefined) return others;
  // Until then its last event is all that is known, even if the remedy was applied.
  const next = reason?.includes('FailedMount: ') ? '; the kubelet checks it after two minutes at the latest' : '';
  return { ...others, remedy: remedy + next };
}

/** Executors in words. */
export interface ExecutorsText {
  /** Clause such as `1 of 3 executors runs, 1 waits: Unschedulable: no node has enough CPU`. */
  readonly clause: string;
  readonly running: number;
  readonly pending: number;
  /** Kubernetes' reason and message for one that does not start or is refused. @default - none */
  readonly stuck?: string;
}

/**
 * Describes the executors of an application or a server.
 *
 * @param executors all of their pods, or their states by the status
 * @param wanted requested number; undefined with dynamic allocation
 * @param waiting pods that might not start @default - none, or unknown
 * @param refusal why the API server rejects more @default - it does not, or unknown
 */
export function executorsText(
  executors: readonly (PodView | string)[], wanted: number | undefined, waiting: readonly PodView[] = [], refusal?: string,
): ExecutorsText {
  const states = executors.map((each) => (typeof each === 'string' ? each : podState(each)));
  const [running, pending] = ['RUNNING', 'PENDING'].map((state) => states.filter((each) => each === state).length) as [number, number];
  const obstacle = waiting.map((pod) => pod.obstacle).find((each) => each !== undefined);
  const noun = running === 1 && (wanted ?? 1) === 1 ? 'executor' : 'executors';
  const count = `${wanted === undefined ? running : `${running} of ${wanted}`} ${noun} ${running === 1 ? 'runs' : 'run'}`;
  const waits = pending > 0 ? `, ${pending} ${pending === 1 ? 'waits' : 'wait'}` : '';
  const why = obstacle ? `: ${obstacleText(reasonWithMessage(obstacle)).replace(/\.\s*$/, '')}`
    : refusal ? `; the API server rejects more: ${refusal}` : '';
  const stuck = obstacle ? `${obstacle.reason}: ${obstacle.message ?? ''}` : refusal;
  return { clause: `${count}${waits}${why}`, running, pending, ...(stuck !== undefined && { stuck }) };
}
