import type { ScheduledSparkApplicationSpec } from '../../api/scheduled-spark-application';
import type { Violation } from '../../validation/validate';
import { hashOf } from '../hash';
import { keptOf, oversizedText, type CutRules } from '../large-spec';
import { readWhole, type Reader } from '../read-whole';
import { SCHEDULED_SPARK_APPLICATIONS } from '../resources';
import { oversizedParts } from '../submission/refuse-oversized';
import { oversizedFacts } from '../submission/spec-facts';
import { isWhole, type ScheduledSparkApplication, type WholeSchedule } from './model';

type Facts = ScheduledSparkApplication['spec'];

/** Returns a specification without the template of its runs. */
function factsOf({ template: _, ...facts }: ScheduledSparkApplicationSpec): Facts {
  return facts;
}

/**
 * Returns the facts that are kept if all of them together are too large: the schedule is invalid
 * then.
 */
function numbersOf({ suspend }: ScheduledSparkApplicationSpec): Facts {
  return { schedule: '', suspend };
}

function oversized(spec: ScheduledSparkApplicationSpec): readonly Violation[] {
  const ofTemplate = oversizedParts(spec.template).map((violation) => ({ ...violation, path: violation.path.replace(/^spec/, 'spec.template') }));
  return [...ofTemplate, ...oversizedFacts(factsOf(spec), 'spec')];
}

const CUT: CutRules<ScheduledSparkApplicationSpec, Facts> = { facts: factsOf, numbers: numbersOf, hash: hashOf, oversized };

/**
 * Cuts a schedule on arrival to what is kept in memory.
 *
 * @param before the schedule as it was kept before
 */
export function transform(schedule: WholeSchedule, before?: ScheduledSparkApplication): ScheduledSparkApplication {
  return keptOf(schedule, before, CUT);
}

/**
 * Returns why no run of a schedule can be run, as its specification is too large; undefined if it
 * is not.
 */
export function oversizedReason(schedule: ScheduledSparkApplication): string | undefined {
  if (!isWhole(schedule)) return schedule.cut?.oversized;
  const [violation] = oversized(schedule.spec);
  return violation && oversizedText(violation);
}

/** Reads the whole schedule from the API server if its specification is not kept. */
export async function wholeOf(schedule: ScheduledSparkApplication, reader: Reader): Promise<WholeSchedule> {
  return isWhole(schedule) ? schedule : readWhole(reader, SCHEDULED_SPARK_APPLICATIONS, schedule);
}
