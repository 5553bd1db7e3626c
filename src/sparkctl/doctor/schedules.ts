import { type Finding, findingsOf, type FoundObject } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import { titleOf } from '../output/title';
import { blockedSchedule } from '../../explain/blocked-schedule';
import { invalidSchedule } from '../../explain/invalid-schedule';
import { SCHEDULED_SPARK_APPLICATIONS } from '../../model/resources';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';

const findings = findingsOf('Schedules');

/** Maximum number of schedules that are named; the rest is counted. */
const MAX_NAMED = 10;

/**
 * Reports active schedules that start no runs: they are invalid, or a run cannot be created.
 *
 * @param where such as `in jobs`
 * @returns nothing if no schedule is active
 */
export function scheduleFindings(reading: Reading<readonly ScheduledSparkApplication[]>, where: string): Finding[] {
  if (reading.kind === 'missing') return []; // the missing CRD has its own finding
  if (isUnreadable(reading)) return [unreadable(findings, `the schedules ${where}`, reading)];
  const active = reading.value.filter(({ spec }) => !spec.suspend);
  if (active.length === 0) return [];
  const idle = active.flatMap((schedule) => {
    const reason = invalidSchedule(schedule) ?? blockedSchedule(schedule);
    return reason === undefined ? [] : [{ metadata: schedule.metadata, reason }];
  });
  if (idle.length === 0) {
    return [findings.ok(active.length === 1 ? `the only active schedule ${where} is valid` : `the ${active.length} active schedules ${where} are valid`)];
  }
  const named = idle.slice(0, MAX_NAMED).map(({ metadata: { namespace, name }, reason }) => {
    const object: FoundObject = { kind: SCHEDULED_SPARK_APPLICATIONS.kind, namespace, name };
    return findings.about(object).warning(
      `${titleOf({ kind: object.kind, metadata: { namespace, name } })} starts no runs: ${reason}`,
      `sparkctl status schedule/${name} -n ${namespace}`,
    );
  });
  const more = idle.length - named.length;
  return more === 0 ? named : [...named, findings.warning(`and ${more} more schedules ${where} start no runs`, 'sparkctl list schedules -A')];
}
