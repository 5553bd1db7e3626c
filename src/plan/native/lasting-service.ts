import type { ReadonlySparkProperties } from '../properties/spark-conf';

/** Property of whether Spark deletes the driver's Service when the driver ends. */
const DELETION = 'spark.kubernetes.driver.service.deleteOnTermination';

/**
 * Returns the properties of a driver whose Service stays until the operator deletes it, so that the
 * Service proves that the driver was created.
 *
 * @returns undefined if the user lets Spark delete the Service
 */
export function withLastingService(properties: ReadonlySparkProperties): ReadonlySparkProperties | undefined {
  if (properties.has(DELETION)) return properties.get(DELETION)!.trim().toLowerCase() === 'false' ? properties : undefined;
  const lasting = properties.copy();
  lasting.set(DELETION, 'false', 'the operator');
  return lasting;
}
