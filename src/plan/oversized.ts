import podTemplate from '../../schemas/pod-template.json';
import schema from '../../schemas/sparkapplication.json';
import type { SparkApplicationSpec } from '../api/spark-application';
import type { PodTemplateSchema } from '../rules/pod-template';
import type { Schema } from '../rules/schema';
import { labelSizeViolations, sizeRemedy, sizeViolations, type TemplatePlaces } from '../rules/size';
import type { Problem } from '../model/problem';
import { SubmissionError } from './errors';
import { factsOf, oversizedFacts } from '../model/spec-facts';

const APPLICATION: TemplatePlaces = {
  spec: (schema as unknown as Schema).properties!.spec!,
  podTemplate: podTemplate as unknown as PodTemplateSchema,
  roles: ['driver', 'executor'],
};

/** Returns what is too large in the specification of an application. */
export function oversizedParts(spec: unknown): Problem[] {
  const found = sizeViolations(APPLICATION, spec);
  return found.length > 0 || typeof spec !== 'object' || spec === null ? found : oversizedFacts(factsOf(spec as SparkApplicationSpec), 'spec');
}

/** Returns what is too large in an application. */
export function oversizedViolations({ metadata, spec }: { readonly metadata: { readonly labels?: unknown }; readonly spec: unknown }): Problem[] {
  return [...labelSizeViolations(metadata), ...oversizedParts(spec)];
}

/**
 * Refuses an application that is too large to be worked on. The CRD refuses most of them; an application may have been stored before
 * it did, and labels and pod templates are open there.
 *
 * @throws SubmissionError for the first part that is too large
 */
export function refuseOversized(application: Parameters<typeof oversizedViolations>[0]): void {
  const [violation] = oversizedViolations(application);
  if (violation) throw new SubmissionError({ field: violation.path, reason: violation.reason, remedy: sizeRemedy(violation) });
}
