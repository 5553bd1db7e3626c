import type { SparkApplicationSpec } from '../../api/spark-application';
import { beginningOf } from '../../text/shorten';
import { driverOptions } from '../properties/driver-options';
import { isLimited } from '../demand/demand';
import type { Excess } from './excess';
import { matchesGlob, type GlobBudget } from './glob';
import type { Limits } from './layer';

/** The input of the check. */
interface Case {
  readonly limits: Limits;
  /** The specification as the user wrote it: a ConfigMap can set any options. */
  readonly written: SparkApplicationSpec;
  readonly globs: GlobBudget;
}

/** Maximum length of a name in a message: names can have any length. */
const MAX_NAME = 120;

const TEMPLATE_FILE = /^spark\.kubernetes\.(?:driver|executor)\.podTemplateFile$/;

/**
 * Finds options of the driver's JVM that set limited properties. The driver's Spark reads them like
 * properties, but the limits are compared only with properties. So these options are rejected
 * whatever their values are, and so are unreadable options. Without a limit that options can break,
 * none is rejected.
 */
export function javaOptions({ limits, written, globs }: Case): Excess[] {
  if (!boundsOptions(limits)) return [];
  const { properties, unreadable } = driverOptions(written);
  const { deniedSparkConf = [] } = limits;
  return [
    ...properties.flatMap(({ name, field }): Excess[] => {
      if (isLimited(name) || TEMPLATE_FILE.test(name)) {
        return [
          { field, reason: `sets ${name} as an option, which is not compared with`, limit: 'any', remedy: 'write it in spec.sparkConf' },
        ];
      }
      const glob = deniedSparkConf.find((pattern) => matchesGlob(pattern, name, globs));
      return glob === undefined
        ? []
        : [{
          field, reason: `sets ${beginningOf(name, MAX_NAME)}, which is not among`, limit: `deniedSparkConf: ${glob}`, remedy: 'remove it',
        }];
    }),
    ...unreadable.map(
      ({ field, reason, remedy }) => ({ field, reason: `${reason}, so that it cannot be compared with`, limit: 'any', remedy }),
    ),
  ];
}

/** Whether there is a limit that an option can break. */
function boundsOptions({ maxExecutors, driver, executor, allowedImages, allowedServiceAccounts, deniedSparkConf }: Limits): boolean {
  const ofPods = [driver, executor].flatMap((limits) => [limits?.maxCores, limits?.maxMemory]);
  return [maxExecutors, ...ofPods, allowedImages, allowedServiceAccounts, deniedSparkConf].some((limit) => limit !== undefined);
}
