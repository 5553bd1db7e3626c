import { podTemplateViolations } from '../../rules/pod-template';
import { SubmissionError } from '../errors';
import type { Role } from '../properties/role';
import { type Problem, withoutEffect } from '../../model/problem';
import { podTemplateSchema } from '../../rules/schemas';
import type { PodTemplate } from './pod-template';

/** Maximum number of problems in an error. */
const MAX_PROBLEMS = 5;

/**
 * Checks a pod template, for which the CRD has no schema. Unknown fields only give warnings: the
 * API server drops them, and manifests that work elsewhere contain some.
 *
 * @returns fields without effect
 * @throws SubmissionError with all problems, or the first few. It omits values, which can be
 * secrets
 */
export function checkTemplate(role: Role, template: PodTemplate | null | undefined): Problem[] {
  const field = `spec.${role}.template`;
  const found = podTemplateViolations(podTemplateSchema(), template ?? {}, field);
  const problems = found.filter(({ unknown }) => !unknown);
  if (problems.length === 0) {
    return found.map(({ path, reason }) => withoutEffect(path, `: it ${reason}`));
  }
  const shown = problems.slice(0, MAX_PROBLEMS).map(({ path, reason }) => `${path.slice(field.length + 1) || 'template'} ${reason}`);
  const more = problems.length - shown.length;
  throw new SubmissionError({
    field,
    reason: `is not a pod template: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
    remedy: 'write it as the template of a Deployment',
  });
}
