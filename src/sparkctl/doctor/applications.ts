import { type Finding, findingsOf } from './finding';
import { isUnseen, unseen, type Reading } from './look';
import { shortDuration } from '../../text/duration';
import { explain } from '../../explain/explain';
import { ApplicationState } from '../../api/states';
import { stateOf, type WholeApplication } from '../../model/spark-application';

const findings = findingsOf('Applications');

/** So long an application may be in a state in which nothing happens, in milliseconds, by state. In others it may stay for ever. */
const PATIENCE: Partial<Record<ApplicationState, number>> = {
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

/** Applications that are named; of more it is said how many. */
const MAX_LINES = 10;

/**
 * Which applications do not go on.
 *
 * @param where such as `in jobs`
 * @param now milliseconds since 1970
 */
export function applicationFindings(looked: Reading<readonly WholeApplication[]>, where: string, now: number): Finding[] {
  if (looked.kind === 'missing') return []; // without the CRD, of which there is a finding already
  if (isUnseen(looked)) return [unseen(findings, `the applications ${where}`, looked)];
  const stuck = looked.value.filter((application) => isStuck(application, now));
  if (stuck.length === 0) return [findings.ok(`none of the ${looked.value.length} applications ${where} is stuck`)];
  const lines = stuck.slice(0, MAX_LINES).map((application) => stuckFinding(application, now));
  const more = stuck.length - lines.length;
  return more > 0 ? [...lines, findings.warning(`and ${more} more applications ${where} do not go on`, 'sparkctl list -A')] : lines;
}

function stuckFinding(application: WholeApplication, now: number): Finding {
  const { namespace, name } = application.metadata;
  const { sentence, headline } = explain({ application, now });
  return findings.warning(`${namespace}/${name} ${headline}, since ${shortDuration(now - sinceOf(application))}: ${sentence.split('\n', 1)[0]}`, `sparkctl status ${name} -n ${namespace}`);
}

/** Whether an application has been for too long where it should not stay. */
export function isStuck(application: WholeApplication, now: number): boolean {
  const state = stateOf(application);
  if (application.spec.suspend && state === ApplicationState.NEW) return false;
  const patience = PATIENCE[state];
  return patience !== undefined && now - sinceOf(application) >= patience;
}

/** When it came to where it is, as far as its status tells. */
function sinceOf({ metadata, status }: WholeApplication): number {
  const changes = (status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime);
  const times = [metadata.creationTimestamp, status?.lastSubmissionAttemptTime, ...changes].map((time) => Date.parse(time ?? '')).filter(Number.isFinite);
  return Math.max(...times);
}
