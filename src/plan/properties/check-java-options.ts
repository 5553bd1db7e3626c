import { javaOptionProperties, wrongJavaOptions } from './java-options';
import { SubmissionError } from '../errors';
import type { Role } from './role';
import type { ReadonlySparkProperties } from './spark-conf';

/**
 * Rejects options of a JVM with which Spark does not start: the driver would fail each time.
 *
 * @throws SubmissionError that names the field, and contains only the invalid option
 */
export function checkJavaOptions(properties: ReadonlySparkProperties, role: Role): void {
  for (const key of javaOptionProperties(role)) {
    const [wrong] = wrongJavaOptions(properties.get(key), role, `spec.${role}.memory`);
    if (wrong) {
      throw new SubmissionError({ field: properties.fieldOf(key), value: wrong.option, reason: wrong.reason, remedy: wrong.remedy });
    }
  }
}
