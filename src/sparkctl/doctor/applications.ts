import { type Finding, findingsOf, type FoundObject } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import { shortDuration } from '../../text/duration';
import { explain, type ObservedApplication } from '../../explain/explain';
import { shortReason } from '../../explain/short-reason';
import { isAtRest } from '../../explain/unattended';
import { retryOf } from '../../model/restart-policy';
import { ApplicationState } from '../../api/states';
import { SPARK_APPLICATIONS } from '../../model/resources';
import { stateOf, type WholeApplication } from '../../model/spark-application';

const findings = findingsOf('Applications');

/**
 * Milliseconds, by state, after which an application is stuck. In other states it can stay forever.
 */
const STUCK_AFTER: Partial<Record<ApplicationState, number>> = {
  [ApplicationState.NEW]: 60_000,
  [ApplicationState.SUBMITTED]: 600_000,
  [ApplicationState.SUBMISSION_FAILED]: 0,
  [ApplicationState.FAILING]: 600_000,
  [ApplicationState.SUCCEEDING]: 600_000,
  [ApplicationState.UNKNOWN]: 60_000,
  [ApplicationState.PENDING_RERUN]: 600_000,
  [ApplicationState.INVALIDATING]: 600_000,
  [ApplicationState.SUSPENDING]: 600_000,
  [ApplicationState.RESUMING]: 600_000,
};

/** Maximum number of applications that are named; the rest is counted. */
export const MAX_STUCK = 10;

/** Stuck application. */
export interface StuckApplication {
  readonly observed: ObservedApplication;
  /** Clause about when the operator gives up on it. @default - it does not wait, or unknown */
  readonly giveUp?: string;
}

/**
 * Reports stuck applications.
 *
 * @param where such as `in jobs`
 * @param stuck the first of them
 * @param count number of all stuck ones
 */
export function applicationFindings(
  reading: Reading<readonly WholeApplication[]>, where: string, stuck: readonly StuckApplication[], count = stuck.length,
): Finding[] {
  if (reading.kind === 'missing') return []; // the missing CRD has its own finding
  if (isUnreadable(reading)) return [unreadable(findings, `the applications ${where}`, reading)];
  if (stuck.length === 0) return [findings.ok(`none of the ${reading.value.length} applications ${where} is stuck`)];
  const lines = stuck.map(stuckFinding);
  const more = count - lines.length;
  return more > 0 ? [...lines, findings.warning(`and ${more} more applications ${where} are stuck`, 'sparkctl list -A --attention')] : lines;
}

function stuckFinding({ observed, giveUp }: StuckApplication): Finding {
  const { application, now } = observed;
  const { namespace, name } = application.metadata;
  const { sentence, headline, remedy } = explain(observed);
  const wait = giveUp === undefined ? '' : `; ${giveUp}`;
  const object: FoundObject = { kind: SPARK_APPLICATIONS.kind, namespace, name };
  return findings.about(object).warning(
    `${namespace}/${name} ${headline}, since ${shortDuration(now - sinceOf(application))}: ${sentence.split('\n', 1)[0]}${wait}`,
    remedy === undefined || remedy === 'sparkctl doctor' ? `sparkctl status ${name} -n ${namespace}` : remedy,
  );
}

/**
 * Returns whether an application does not progress: it has a reason that needs attention, or has
 * been in a transient state for too long.
 */
export function isStuck(observed: ObservedApplication): boolean {
  const { application, now } = observed;
  const state = stateOf(application);
  if (isAtRest(application) || (application.spec.suspend && state === ApplicationState.NEW)) return false;
  if (state === ApplicationState.FAILING && (retryOf(application, now)?.dueIn ?? 0) > 0) return false;
  const limit = STUCK_AFTER[state];
  if (limit !== undefined && now - sinceOf(application) >= limit) return true;
  return state !== ApplicationState.FAILING && shortReason(observed).needsAttention;
}

/** Returns the time of the last change that the status records, in milliseconds since 1970. */
function sinceOf({ metadata, status }: WholeApplication): number {
  const changes = (status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime);
  const times = [
    metadata.creationTimestamp, status?.lastSubmissionAttemptTime, ...changes,
  ].map((time) => Date.parse(time ?? '')).filter(Number.isFinite);
  return Math.max(...times);
}
