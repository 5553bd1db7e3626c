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
  try {
    parseSchedule(schedule, timeZone ?? undefined);
    return [];
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return [{ path: `spec.${error.field}`, value: error.value, reason: error.reason }];
  }
}
