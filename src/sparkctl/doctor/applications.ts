import { type Finding, type Findings, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import { titleOf } from '../output/title';
import { shortDuration } from '../../text/duration';
import { explain, type ObservedApplication } from '../../explain/explain';
import { giveUpText, waitsForUser } from '../../explain/give-up';
import { shortReason } from '../../explain/short-reason';
import { isAtRest, stateTime } from '../../explain/unattended';
import { retryOf } from '../../model/restart-policy';
import { ApplicationState } from '../../api/states';
import type { ObjectMeta } from '../../kube/objects';
import type { OperatorPresence } from '../../model/operator-presence';
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

/**
 * Reports stuck applications.
 *
 * @param where such as `in jobs`
 * @param stuck the first of them
 * @param count number of all stuck ones
 * @param unattended those that no operator handles, which are not among them
 */
export function applicationFindings(
  reading: Reading<readonly WholeApplication[]>, where: string, stuck: readonly ObservedApplication[], count = stuck.length,
  unattended: readonly ObservedApplication[] = [],
): Finding[] {
  if (reading.kind === 'missing') return []; // the missing CRD has its own finding
  if (isUnreadable(reading)) return [unreadable(findings, `the applications ${where}`, reading)];
  if (stuck.length === 0 && unattended.length === 0) return [findings.ok(`none of the ${reading.value.length} applications ${where} is stuck`)];
  const lines = [...unattendedFindings(unattended, where), ...stuck.map(stuckFinding)];
  const more = count - stuck.length;
  return more > 0 ? [...lines, findings.warning(`and ${more} more applications ${where} are stuck`, 'sparkctl list -A --attention')] : lines;
}

function stuckFinding(observed: ObservedApplication): Finding {
  const { application, now } = observed;
  const { namespace, name } = application.metadata;
  const { sentence, remedy } = explain(observed);
  const state = stateOf(application);
  // The sentence has the time for which a driver has waited.
  const since = state === ApplicationState.SUBMITTED ? '' : ` for ${shortDuration(now - sinceOf(application))}`;
  const { kind } = SPARK_APPLICATIONS;
  const { error, warning } = findings.about({ kind, namespace, name });
  const subject = `${titleOf({ kind, metadata: { namespace, name } })} ${state || 'NEW'}${since}`;
  const [fact, giveUp] = [firstLine(sentence), giveUpText(observed, now)];
  const why = giveUp === undefined || fact.endsWith(giveUp) ? fact : `${fact}; ${giveUp}`;
  const action = actionOf(remedy, `sparkctl status ${name} -n ${namespace}`);
  // The application fails without a user's action, as with a missing image or service account.
  return waitsForUser(observed) ? error(`${subject}: ${why}`, action) : warning(`${subject}: ${why}`, action);
}

/** Returns the action for a stuck object; its status has no more to report than this command. */
export function actionOf(remedy: string | undefined, otherwise: string): string {
  return remedy?.startsWith('sparkctl doctor ') ? ASK : remedy ?? otherwise;
}

/** Returns the first line of a text without its full stop. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.replace(/\.\s*$/, '');
}

/**
 * Reports applications that no operator handles, in one finding for each operator: the checks of
 * the operator find the cause.
 *
 * @param where such as `in jobs`
 */
function unattendedFindings(unattended: readonly ObservedApplication[], where: string): Finding[] {
  return withoutOperator(findings, SPARK_APPLICATIONS.kind, 'application', where, unattended.map((observed) => ({
    metadata: observed.application.metadata, operator: observed.operator, sentence: explain(observed).sentence,
  })));
}

/** Object that no operator handles. */
export interface UnattendedObject {
  readonly metadata: ObjectMeta & { readonly namespace: string };
  readonly operator?: OperatorPresence;
  readonly sentence: string;
}

/**
 * Reports objects of a kind that no operator handles, in one finding for each operator.
 *
 * @param noun name of the kind in a sentence
 */
export function withoutOperator(
  { about, warning }: Findings, kind: string, noun: string, where: string, unattended: readonly UnattendedObject[],
): Finding[] {
  const [first, ...others] = unattended;
  if (first && others.length === 0) {
    const { metadata: { namespace, name }, sentence } = first;
    const one = { kind, namespace, name };
    return [about(one).warning(`${titleOf({ kind, metadata: one })}: ${firstLine(sentence)}`, ASK)];
  }
  const names = new Map<string, string[]>();
  for (const { metadata, operator } of unattended) {
    const why = operator?.isActive === false ? operator.evidence : 'none runs or watches their namespace, or it has a long queue';
    names.set(why, [...names.get(why) ?? [], `${metadata.namespace}/${metadata.name}`]);
  }
  return [...names].map(([why, own]) => {
    const count = own.length === 1 ? `1 ${noun}` : `${own.length} ${noun}s`;
    const named = own.slice(0, MAX_STUCK).join(', ') + (own.length > MAX_STUCK ? ` and ${own.length - MAX_STUCK} more` : '');
    return warning(`no operator handles ${count} ${where} (${named}): ${why}`, ASK);
  });
}

/** Action for objects that no operator handles. */
const ASK = 'see the findings about the operator, or ask its administrator';

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

/** Returns the time since which an application has its state, in milliseconds since 1970. */
function sinceOf(application: WholeApplication): number {
  return Math.max(Date.parse(application.metadata.creationTimestamp ?? '') || -Infinity, stateTime(application) ?? -Infinity);
}
