import { parseSchedule, ScheduleError } from '../schedule/expression';
import type { Violation } from '../model/problem';

/**
 * What is wrong with a schedule and its time zone: what no pattern of the CRD finds, and in better words what they find.
 * Values of the wrong type are left to the schema.
 * @internal
 */
export function scheduleViolations(spec: { readonly schedule?: unknown; readonly timeZone?: unknown } | undefined): Violation[] {
  const { schedule, timeZone } = spec ?? {};
  if (typeof schedule !== 'string' || schedule === '' || (typeof timeZone !== 'string' && timeZone !== undefined && timeZone !== null)) return [];
  try {
    parseSchedule(schedule, timeZone ?? undefined);
    return [];
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return [{ path: `spec.${error.field}`, value: error.value, reason: error.reason }];
  }
}
