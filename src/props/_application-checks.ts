import { wrongProfile } from './_profile-checks';
import { SparkApplicationProps } from './spark-application-props';
import { SparkApplicationType } from '../api/spark-application';
import type { Problem } from '../model/problem';

/**
 * Returns the problems of props that have no equivalent in the manifest, and that later changes
 * cannot repair.
 * @internal
 */
export function wrongProps(props: SparkApplicationProps): Problem[] {
  const { type, mainClass, sparkVersion, profile } = props;
  return [
    ...(isJvm(type) && !mainClass ? [{
      path: 'mainClass', value: undefined, reason: `is missing; a ${type} application needs the name of its main class`,
    }] : []),
    ...(sparkVersion === undefined && profile?._toSpec().sparkVersion === undefined ? [MISSING_VERSION] : []),
    ...wrongProfile(props),
  ];
}

/**
 * The problem of a workload without a version of Spark.
 * @internal
 */
export const MISSING_VERSION: Problem = {
  path: 'sparkVersion', value: undefined, reason: 'is missing', remedy: 'set it here or in the profile, such as 4.1.1',
};

function isJvm(type: SparkApplicationType): boolean {
  return type === SparkApplicationType.JAVA || type === SparkApplicationType.SCALA;
}
