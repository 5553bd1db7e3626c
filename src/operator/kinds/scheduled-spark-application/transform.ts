import type { ScheduledSparkApplicationSpec } from '../../../api/scheduled-spark-application';
import type { Problem } from '../../../model/problem';
import { hashOf } from '../../../model/hash';
import { largeSpecs } from '../../large-spec';
import { SCHEDULED_SPARK_APPLICATIONS } from '../../../model/resources';
import { oversizedParts } from '../../../plan/oversized';
import { oversizedFacts } from '../../../model/spec-facts';
import type { ScheduledSparkApplication, WholeSchedule } from '../../../model/scheduled-spark-application';

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

function oversized(spec: ScheduledSparkApplicationSpec): readonly Problem[] {
  const ofTemplate = oversizedParts(spec.template).map(
    (violation) => ({ ...violation, path: violation.path.replace(/^spec/, 'spec.template') }),
  );
  return [...ofTemplate, ...oversizedFacts(factsOf(spec), 'spec')];
}

type Schedule = ScheduledSparkApplication;

export const { transform, oversizedReason, wholeOf } = largeSpecs<ScheduledSparkApplicationSpec, Facts, WholeSchedule, Schedule>({
  resource: SCHEDULED_SPARK_APPLICATIONS, facts: factsOf, numbers: numbersOf, hash: hashOf, oversized,
});
