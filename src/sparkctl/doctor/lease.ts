import { type Finding, findingsOf } from './finding';
import { isUnseen, unseen, type Reading } from './look';
import type { Installation } from '../setup/installation';
import { shortDuration } from '../../text/duration';
import { holderOf, validFor, type Lease } from '../../kube/lease';

const findings = findingsOf('Leader');

/** A Lease that names no duration is left for so long, in milliseconds. */
const DURATION = 15_000;

/** Whether a replica leads, as the Lease says. Clocks may differ: a Lease is only missed after twice its time. */
export function leaseFinding(installation: Installation, looked: Reading<Lease>, now: number): Finding {
  const { namespace, lease: name } = installation;
  const title = `Lease ${namespace}/${name}`;
  const log = `kubectl logs -n ${namespace} deployment/${installation.name} --tail=50`;
  if (isUnseen(looked)) return unseen(findings, `the ${title}`, looked);
  if (looked.kind === 'missing') return findings.error(`there is no ${title}: no replica has begun to work`, log);
  const lease = looked.value;
  const holder = holderOf(lease);
  if (holder === undefined) return findings.error(`nobody has the ${title}`, log);
  const age = ageOf(lease, now);
  const text = `${holder} has the ${title}, renewed ${shortDuration(age)} ago`;
  return isLate(lease, age) ? findings.error(`${text}: it does not work any more`, log) : findings.ok(text);
}

function ageOf({ spec }: Lease, now: number): number {
  return now - Date.parse(spec?.renewTime ?? '');
}

/** A time that cannot be read is one that is long ago. */
function isLate(lease: Lease, age: number): boolean {
  return !(age <= 2 * validFor(lease, DURATION));
}
