import { podTemplateViolations } from '../../rules/pod-template';
import { SubmissionError } from '../errors';
import type { Role } from '../properties/role';
import { type Problem, withoutEffect } from '../../model/problem';
import { podTemplateSchema } from '../../rules/schemas';
import type { PodTemplate } from './pod-template';

/** More mistakes than these are not told at a time. */
const MAX_MISTAKES = 5;

/**
 * Checks a pod template, which the CRD leaves open. Fields that Kubernetes does not have are only told: the API server drops them,
 * and manifests that run elsewhere have some.
 *
 * @returns what has no effect
 * @throws SubmissionError that tells all mistakes, or the first few of them; not what is written, as it can be a secret
 */
export function checkTemplate(role: Role, template: PodTemplate | null | undefined): Problem[] {
  const field = `spec.${role}.template`;
  const found = podTemplateViolations(podTemplateSchema(), template ?? {}, field);
  const mistakes = found.filter(({ unknown }) => !unknown);
  if (mistakes.length === 0) {
    return found.map(({ path, reason }) => withoutEffect(path, `: it ${reason}`));
  }
  const told = mistakes.slice(0, MAX_MISTAKES).map(({ path, reason }) => `${path.slice(field.length + 1) || 'template'} ${reason}`);
  const more = mistakes.length - told.length;
  throw new SubmissionError({
    field,
    reason: `is no pod template: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
    remedy: 'write it as the template of a Deployment',
  });
}
