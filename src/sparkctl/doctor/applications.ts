import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import { shortDuration } from '../../text/duration';
import { explain } from '../../explain/explain';
import { ApplicationState } from '../../api/states';
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
const MAX_LINES = 10;

/**
 * Finds applications that are stuck.
 *
 * @param where such as `in jobs`
 * @param now milliseconds since 1970
 */
export function applicationFindings(reading: Reading<readonly WholeApplication[]>, where: string, now: number): Finding[] {
  if (reading.kind === 'missing') return []; // the missing CRD has its own finding
  if (isUnreadable(reading)) return [unreadable(findings, `the applications ${where}`, reading)];
  const stuck = reading.value.filter((application) => isStuck(application, now));
  if (stuck.length === 0) return [findings.ok(`none of the ${reading.value.length} applications ${where} is stuck`)];
  const lines = stuck.slice(0, MAX_LINES).map((application) => stuckFinding(application, now));
  const more = stuck.length - lines.length;
  return more > 0 ? [...lines, findings.warning(`and ${more} more applications ${where} are stuck`, 'sparkctl list -A')] : lines;
}

function stuckFinding(application: WholeApplication, now: number): Finding {
  const { namespace, name } = application.metadata;
  const { sentence, headline } = explain({ application, now });
  return findings.warning(
    `${namespace}/${name} ${headline}, since ${shortDuration(now - sinceOf(application))}: ${sentence.split('\n', 1)[0]}`,
    `sparkctl status ${name} -n ${namespace}`,
  );
}

/** Returns whether an application has been in a transient state for too long. */
export function isStuck(application: WholeApplication, now: number): boolean {
  const state = stateOf(application);
  if (application.spec.suspend && state === ApplicationState.NEW) return false;
  const limit = STUCK_AFTER[state];
  return limit !== undefined && now - sinceOf(application) >= limit;
}

/** Returns the time of the last change that the status records, in milliseconds since 1970. */
function sinceOf({ metadata, status }: WholeApplication): number {
  const changes = (status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime);
  const times = [
    metadata.creationTimestamp, status?.lastSubmissionAttemptTime, ...changes,
  ].map((time) => Date.parse(time ?? '')).filter(Number.isFinite);
  return Math.max(...times);
}
