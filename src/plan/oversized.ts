import { SPARK_APPLICATION, type SparkApplicationSpec } from '../api/spark-application';
import { podTemplateSchema, specSchema } from '../rules/schemas';
import { labelSizeViolations, sizeRemedy, sizeViolations, type TemplatePlaces } from '../rules/size';
import type { Problem } from '../model/problem';
import { SubmissionError } from './errors';
import { factsOf, oversizedFacts } from '../model/spec-facts';

/** Returns the schemas of an application. */
function places(): TemplatePlaces {
  return { spec: specSchema(SPARK_APPLICATION), podTemplate: podTemplateSchema(), roles: ['driver', 'executor'] };
}

/** Returns the parts of a specification that are too large. */
export function oversizedParts(spec: unknown): Problem[] {
  const found = sizeViolations(places(), spec);
  return found.length > 0 || typeof spec !== 'object' || spec === null
    ? found
    : oversizedFacts(factsOf(spec as SparkApplicationSpec), 'spec');
}

/** Returns the parts of an application that are too large. */
export function oversizedViolations(
  { metadata, spec }: { readonly metadata: { readonly labels?: unknown }; readonly spec: unknown },
): Problem[] {
  return [...labelSizeViolations(metadata), ...oversizedParts(spec)];
}

/**
 * Rejects an application that is too large to process. The CRD rejects most of them. But the
 * application can be older than that CRD, and the CRD does not check labels and pod templates.
 *
 * @throws SubmissionError for the first part that is too large
 */
export function refuseOversized(application: Parameters<typeof oversizedViolations>[0]): void {
  const [violation] = oversizedViolations(application);
  if (violation) throw new SubmissionError({ field: violation.path, reason: violation.reason, remedy: sizeRemedy(violation) });
}
