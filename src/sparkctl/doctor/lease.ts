import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import type { Installation } from '../setup/installation';
import { shortDuration } from '../../text/duration';
import { holderOf, validFor, type Lease } from '../../kube/lease';

const findings = findingsOf('Leader');

/** Default duration of a Lease, in milliseconds. */
const DURATION = 15_000;

/** Checks the leader. Without a ready replica, the finding about the Deployment has the cause. */
export function leaderFindings(installation: Installation, reading: Reading<Lease>, now: number): Finding[] {
  const finding = leaseFinding(installation, reading, now);
  return finding.level === 'error' && !installation.deployment.status?.readyReplicas ? [] : [finding];
}

/**
 * Checks that a replica holds the Lease. As clocks can differ, the Lease only counts as expired
 * after twice its duration.
 */
export function leaseFinding(installation: Installation, reading: Reading<Lease>, now: number): Finding {
  const { namespace, lease: name } = installation;
  const title = `Lease ${namespace}/${name}`;
  const log = `kubectl logs -n ${namespace} deployment/${installation.name} --tail=50`;
  if (isUnreadable(reading)) return unreadable(findings, `the ${title}`, reading);
  if (reading.kind === 'missing') return findings.error(`there is no ${title}: no replica has started to reconcile`, log);
  const lease = reading.value;
  const holder = holderOf(lease);
  if (holder === undefined) return findings.error(`no replica holds the ${title}`, log);
  const age = ageOf(lease, now);
  const text = `${holder} holds the ${title}, renewed ${shortDuration(age)} ago`;
  return isLate(lease, age) ? findings.error(`${text}: it does not reconcile any more`, log) : findings.ok(text);
}

function ageOf({ spec }: Lease, now: number): number {
  return now - Date.parse(spec?.renewTime ?? '');
}

/** Returns whether the Lease has expired; an invalid renew time counts as expired. */
function isLate(lease: Lease, age: number): boolean {
  return !(age <= 2 * validFor(lease, DURATION));
}
