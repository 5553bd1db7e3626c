import { Duration } from 'cdk8s';
import { rejectArguments, wrongNumber } from './_check';
import { checkArguments, duration, number, truth } from './_prop-types';
import { DynamicAllocationSpec } from '../api/dynamic-allocation';

/** Settings of dynamic allocation in addition to its bounds. */
export interface DynamicAllocationOptions {
  /**
   * Initial number of executors.
   *
   * @default - Spark's: the minimum (`spark.dynamicAllocation.initialExecutors`), or
   * `executor.instances` if that is larger
   */
  readonly initialExecutors?: number;

  /**
   * Whether to keep executors that hold shuffle data which is still needed. Disable it only if the
   * data is stored elsewhere, which Spark checks in `sparkConf`: decommissioning that moves it
   * (`spark.decommission.enabled` and `spark.storage.decommission.shuffleBlocks.enabled` both
   * `true`), an external shuffle service (`spark.shuffle.service.enabled` is `true`), or a plugin
   * with reliable storage (`spark.shuffle.sort.io.plugin.class`). Spark does not start otherwise.
   *
   * @default true
   */
  readonly shuffleTracking?: boolean;

  /**
   * Maximum time to keep an idle executor for its shuffle data.
   *
   * @default - Spark's: unlimited (`spark.dynamicAllocation.shuffleTracking.timeout`)
   */
  readonly shuffleTrackingTimeout?: Duration;
}

/**
 * Lets Spark add executors while tasks wait, and remove idle ones.
 *
 * @see https://spark.apache.org/docs/latest/job-scheduling.html#dynamic-resource-allocation
 */
export class DynamicAllocation {
  /**
   * From a minimum to a maximum number of executors.
   *
   * @param minExecutors Minimum number.
   * @param maxExecutors Maximum number.
   * @param options Initial executors, and handling of shuffle data.
   */
  public static between(minExecutors: number, maxExecutors: number, options: DynamicAllocationOptions = {}): DynamicAllocation {
    return DynamicAllocation.within('between', { minExecutors, maxExecutors }, options);
  }

  /**
   * From zero to a maximum number of executors.
   *
   * @param maxExecutors Maximum number.
   * @param options Initial executors, and handling of shuffle data.
   */
  public static upTo(maxExecutors: number, options: DynamicAllocationOptions = {}): DynamicAllocation {
    return DynamicAllocation.within('upTo', { maxExecutors }, options);
  }

  /**
   * From a minimum number of executors to as many as there is work for. Only quotas limit them.
   *
   * @param minExecutors Minimum number.
   * @param options Initial executors, and handling of shuffle data.
   */
  public static atLeast(minExecutors: number, options: DynamicAllocationOptions = {}): DynamicAllocation {
    return DynamicAllocation.within('atLeast', { minExecutors }, options);
  }

  private static within(
    factory: string, bounds: Pick<DynamicAllocationSpec, 'minExecutors' | 'maxExecutors'>, options: DynamicAllocationOptions,
  ): DynamicAllocation {
    const given = Object.fromEntries(Object.keys(bounds).map((name) => [name, number]));
    options = checkArguments(`DynamicAllocation.${factory}`, { ...bounds, options }, { ...given, options: OPTIONS }).options;
    const { initialExecutors, shuffleTracking, shuffleTrackingTimeout } = options;
    const { minExecutors = 0, maxExecutors } = bounds;
    const timeout = shuffleTrackingTimeout?.toMilliseconds({ integral: false });
    rejectArguments(`DynamicAllocation.${factory}`, [
      wrongNumber('minExecutors', minExecutors, 0, MAX_INT32),
      wrongNumber('maxExecutors', maxExecutors, 1, MAX_INT32),
      maxExecutors !== undefined && minExecutors > maxExecutors
        ? { path: 'minExecutors', value: minExecutors, reason: `must not be greater than maxExecutors, ${maxExecutors}` } : undefined,
      wrongNumber('initialExecutors', initialExecutors, minExecutors, maxExecutors ?? MAX_INT32),
      wrongNumber('shuffleTrackingTimeout', timeout, 0),
      shuffleTracking === false && timeout !== undefined
        ? {
          path: 'shuffleTrackingTimeout', value: `${timeout} ms`,
          reason: 'has no effect without shuffleTracking: remove one of them',
        } : undefined,
    ]);
    return new DynamicAllocation({
      enabled: true, ...bounds, initialExecutors, shuffleTrackingEnabled: shuffleTracking, shuffleTrackingTimeout: timeout,
    });
  }

  private constructor(private readonly spec: DynamicAllocationSpec) {}

  /** @internal */
  public _toAllocation(): DynamicAllocationSpec {
    return this.spec;
  }
}

const OPTIONS = { initialExecutors: number, shuffleTracking: truth, shuffleTrackingTimeout: duration } as const;
const MAX_INT32 = 2 ** 31 - 1;
