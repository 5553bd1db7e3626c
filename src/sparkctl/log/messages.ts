import { hasSelectedRole, type Selection } from './selection';
import type { SparkPod } from './pods';
import { titleOfSubject, type SubjectState, type Subject } from './subject';
import { neverRan } from '../../explain/missing-driver';

/** Places that can still have the log of a deleted pod. */
const KEPT = 'A log collector might have it, and a Spark history server its event log (SparkHistoryServer)';

/** Describes the state of an application, with the remedy on a line of its own. */
export function sentenceOf({ sentence, remedy }: SubjectState): string {
  return remedy === undefined ? sentence : `${sentence}\nTo do: ${remedy}`;
}

/** Returns what `log --follow` waits for, if the selected executors do not run. */
export function waitingForExecutor(executor: string, pods: readonly SparkPod[]): string {
  if (executor === 'all') return 'waiting for executors';
  const pod = pods.find((each) => each.role === 'executor' && (executor === each.executor || executor === each.metadata.name));
  const { reason, message } = pod?.obstacle ?? {};
  const why = pod ? [`its pod ${pod.hasLog ? 'has ended' : 'has not started'}`, reason, message] : ['it has no pod'];
  return `waiting for executor ${executor}: ${why.filter(Boolean).join(': ')}`;
}

/**
 * Explains why the selected log does not exist, with one cause and one remedy.
 *
 * @param pods all pods of the application
 */
export function whyNoLog(subject: Subject, selection: Selection, pods: readonly SparkPod[], state: SubjectState): string {
  const { mainName, mainRole } = subject;
  const title = titleOfSubject(subject);
  const { attempt, executor } = selection;
  const main = pods.find(({ role }) => role === mainRole);
  const why = state.outcome || state.remedy !== undefined ? sentenceOf(state) : `${state.sentence}. With --follow, this command waits for it`;
  const last = main?.attempt ?? state.attempt;
  if (attempt !== undefined && last !== undefined && last > attempt) {
    const unstarted = neverRan(`attempt ${attempt} of ${title}`, state.progressOf?.(attempt));
    if (unstarted !== undefined) return `${unstarted}, so there is no log. ${title} is at attempt ${last} now`;
    return `the log of attempt ${attempt} was deleted with its pods. ${title} is at attempt ${last} now. ${KEPT}`;
  }
  if (attempt !== undefined && last !== attempt) {
    return `there is no attempt ${attempt} of ${title}${last === undefined ? '' : `, and the last one is ${last}`}. ${why}`;
  }
  if (pods.some((pod) => hasSelectedRole(pod, selection, subject))) return `there is no log of ${title}. ${why}`;
  if (executor !== undefined && !selection.hasMain) {
    if (state.hadExecutors === false && state.outcome) return `${title} had no executors. ${sentenceOf(state)}`;
    const hadSome = state.hadExecutors ?? (state.isRunning || state.outcome || main?.hasLog);
    return hadSome || pods.some(({ role }) => role === 'executor') ? whyNoExecutor(executor, pods) : `there are no executors of ${title}. ${why}`;
  }
  const unstarted = neverRan(title, state.progress, state.attempt, mainName);
  if (unstarted !== undefined) return `${unstarted}, so there is no log. ${sentenceOf(state)}`;
  if (state.isRunning || state.outcome) {
    const cause = state.outcome ? `${state.sentence}. ${KEPT}` : sentenceOf(state);
    return `the ${mainName} of ${title} does not exist any more, and its log was deleted with it. ${cause}`;
  }
  return `there is no ${mainName} of ${title}. ${why}`;
}

function whyNoExecutor(wanted: string, pods: readonly SparkPod[]): string {
  const numbers = pods.flatMap(({ role, executor }) => (role === 'executor' && executor !== undefined
    ? [Number(executor)]
    : [])).sort((a, b) => a - b);
  const existing = numbers.length > 0 ? numbers.join(', ') : 'none';
  const advice = 'Spark removes executors that have ended, unless spark.kubernetes.executor.deleteOnTermination is "false"';
  return wanted === 'all' ? `there are no executors. ${advice}` : `there is no executor ${wanted} (existing: ${existing}). ${advice}`;
}
