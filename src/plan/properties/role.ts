/** The roles of pods. */
export const ROLES = ['driver', 'executor'] as const;

/** Role of a pod. */
export type Role = (typeof ROLES)[number];

/** Returns the prefix of the properties for environment variables of a role. */
export function environmentPrefix(role: Role): string {
  return role === 'driver' ? 'spark.kubernetes.driverEnv.' : 'spark.executorEnv.';
}
