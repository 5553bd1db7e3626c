import { SubmissionError } from '../errors';
import { ROLES, type Role } from './role';
import type { SparkProperties } from './spark-conf';
import type { Problem } from '../../model/problem';
import type { Steps } from '../problems';

const IMAGE = 'spark.kubernetes.container.image';

/** Value of a missing image in a plan that only checks the application. */
const PLACEHOLDER = 'image';

/**
 * Checks that driver and executors have an image: Spark would check the executors' one only after
 * the start of the driver.
 *
 * @param canFollow whether defaults can still supply the image, so that a missing one is a warning,
 * and the plan continues with a placeholder
 * @returns warnings
 */
export function checkImages(properties: SparkProperties, sparkVersion: string, canFollow: boolean, steps: Steps): Problem[] {
  const missing = ROLES.filter((role) => !properties.get(`spark.kubernetes.${role}.container.image`) && !properties.get(IMAGE));
  if (missing.length === 0) return [];
  const error = missingImage(missing.includes('executor') ? 'executor' : 'driver', sparkVersion);
  if (!canFollow) {
    steps.attempt(() => { throw error; });
    return [];
  }
  properties.set(IMAGE, PLACEHOLDER, 'spec.image');
  const remedy = `${error.remedy}, unless defaults supply one before the submission, which fails otherwise`;
  return [{ path: error.field, reason: error.reason, remedy, severity: 'warning' }];
}

/** Returns the error of a role without an image. */
export function missingImage(role: Role, sparkVersion: string): SubmissionError {
  return new SubmissionError({
    field: 'spec.image', reason: `is missing, and spec.${role}.image too`,
    remedy: `name the image of driver and executors, such as ${exampleImage(sparkVersion)}`,
  });
}

/** Returns an image for a version of Spark. Apache publishes images of complete versions only. */
function exampleImage(sparkVersion: string): string {
  const [release] = /\d+\.\d+\.\d+(?:-preview\d+)?/.exec(sparkVersion) ?? [];
  const [minor] = /\d+\.\d+/.exec(sparkVersion) ?? [];
  return release !== undefined ? `apache/spark:${release}` : `one of ${minor === undefined ? 'your version of Spark' : `Spark ${minor}`}`;
}
