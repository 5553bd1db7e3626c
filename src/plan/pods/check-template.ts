import { podTemplateViolations } from '../../rules/pod-template';
import { SubmissionError } from '../errors';
import type { Role } from '../properties/role';
import { type Problem, withoutEffect } from '../../model/problem';
import { podTemplateSchema } from '../../rules/schemas';
import type { PodTemplate } from './pod-template';

/**
 * Checks a pod template, for which the CRD has no schema. Unknown fields only give warnings: the
 * API server drops them, and manifests that work elsewhere contain some.
 *
 * @returns fields without effect
 * @throws SubmissionError for the first problem of another kind. It omits the value, which can be a
 * secret
 */
export function checkTemplate(role: Role, template: PodTemplate | null | undefined): Problem[] {
  const found = podTemplateViolations(podTemplateSchema(), template ?? {}, `spec.${role}.template`);
  const problem = found.find(({ unknown }) => !unknown);
  if (problem) {
    throw new SubmissionError({ field: problem.path, reason: problem.reason, remedy: 'write it as in the template of a Deployment' });
  }
  return found.map(({ path, reason }) => withoutEffect(path, `: it ${reason}`));
}
