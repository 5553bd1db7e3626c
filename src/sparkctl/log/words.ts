import { isSelected, type Selection } from './selection';
import type { SparkPod } from './pods';
import type { Standing, Subject } from './subject';

/** Where to look for what went with a pod. */
const KEPT = 'its event log is in a Spark history server, if the application writes one (SparkHistoryServer), and the text where a collector of logs keeps it';

/** Where an application stands, and what to do about it. */
export function sentenceOf({ sentence, remedy }: Standing): string {
  return remedy === undefined ? sentence : `${sentence}; ${remedy}`;
}

/**
 * Why there is no log of what is asked for, and what to do.
 *
 * @param pods all of the application
 */
export function whyNoLog(subject: Subject, selection: Selection, pods: readonly SparkPod[], standing: Standing): string {
  const { mainName, mainRole, ref: { name } } = subject;
  const { attempt, executor } = selection;
  const main = pods.find(({ role }) => role === mainRole);
  const why = `${sentenceOf(standing)}${standing.outcome ? '' : '; --follow waits for it'}`;
  if (attempt !== undefined && main?.attempt !== undefined && main.attempt > attempt) {
    return `the log of attempt ${attempt} went with its pods: ${name} is at attempt ${main.attempt} now; ${KEPT}`;
  }
  if (attempt !== undefined && main?.attempt !== attempt) return `there is no attempt ${attempt} of ${name}: ${why}`;
  if (pods.some((pod) => isSelected(pod, selection, subject))) return `there is no log of ${name}: ${why}`;
  if (executor !== undefined && !selection.hasMain) return whyNoExecutor(executor, pods);
  if (standing.isRunning || standing.outcome) return `the ${mainName} of ${name} is not there any more, and its log went with it: ${sentenceOf(standing)}; ${KEPT}`;
  return `there is no ${mainName} of ${name}: ${why}`;
}

function whyNoExecutor(wanted: string, pods: readonly SparkPod[]): string {
  const numbers = pods.flatMap(({ role, executor }) => (role === 'executor' && executor !== undefined ? [Number(executor)] : [])).sort((a, b) => a - b);
  const there = numbers.length > 0 ? `there is ${numbers.join(', ')}` : 'there is none';
  const advice = 'Spark removes executors that have ended; with spark.kubernetes.executor.deleteOnTermination: "false" they stay';
  return wanted === 'all' ? `there are no executors; ${advice}` : `there is no executor ${wanted}: ${there}; ${advice}`;
}
