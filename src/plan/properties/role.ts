/** Role of a pod. */
export type Role = 'driver' | 'executor';

/** Returns the prefix of the properties for environment variables of a role. */
export function environmentPrefix(role: Role): string {
  return role === 'driver' ? 'spark.kubernetes.driverEnv.' : 'spark.executorEnv.';
}
