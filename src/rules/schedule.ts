import { parseSchedule, ScheduleError } from '../schedule/expression';
import type { Problem } from '../model/problem';

/**
 * Returns the faults of a schedule and its time zone: those that no pattern of the CRD finds, and
 * better messages for the others. The schema checks the types.
 * @internal
 */
export function scheduleViolations(spec: { readonly schedule?: unknown; readonly timeZone?: unknown } | undefined): Problem[] {
  const { schedule, timeZone } = spec ?? {};
  if (typeof schedule !== 'string' || schedule === '') return [];
  if (typeof timeZone !== 'string' && timeZone !== undefined && timeZone !== null) return [];
  const fault = faultOf(schedule, timeZone ?? undefined);
  // The schedule is read in UTC if its time zone is unknown.
  const other = fault?.field === 'timeZone' ? faultOf(schedule) : undefined;
  return [fault, other].flatMap((each) => (each ? [{ path: `spec.${each.field}`, value: each.value, reason: each.reason }] : []));
}

function faultOf(schedule: string, timeZone?: string): ScheduleError | undefined {
  try {
    parseSchedule(schedule, timeZone);
    return undefined;
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return error;
  }
}
