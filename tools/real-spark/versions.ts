/**
 * The versions of Spark that native submission is compared with: the newest patch of each line whose objects differ (3.5, 4.0, 4.1, and the newest).
 */
export const REAL_SPARK_VERSIONS = ['3.5.8', '4.0.2', '4.1.1', '4.3.0'] as const;

export type RealSparkVersion = (typeof REAL_SPARK_VERSIONS)[number];
