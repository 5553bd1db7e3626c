import { Duration } from 'cdk8s';
import { refuseArguments, wrongNumber } from './_check';
import { DynamicAllocationSpec } from '../api/dynamic-allocation';

/** What dynamic allocation does besides keeping within its bounds. */
export interface DynamicAllocationOptions {
  /**
   * Executors at the start.
   *
   * @default - Spark's: as many as the least number (`spark.dynamicAllocation.initialExecutors`), or `executor.instances` if that is more
   */
  readonly initialExecutors?: number;

  /**
   * Keep executors that hold shuffle data which is still needed. Turn it off only where the data is somewhere else, which `sparkConf` then has to
   * say: with decommissioning that moves it (`spark.decommission.enabled` and `spark.storage.decommission.shuffleBlocks.enabled` both `true`), with an external
   * shuffle service (`spark.shuffle.service.enabled` is `true`), or with a plugin that keeps it safe (`spark.shuffle.sort.io.plugin.class`). Spark does not start
   * otherwise.
   *
   * @default true
   */
  readonly shuffleTracking?: boolean;

  /**
   * How long an idle executor is kept for its shuffle data.
   *
   * @default - Spark's: without end (`spark.dynamicAllocation.shuffleTracking.timeout`)
   */
  readonly shuffleTrackingTimeout?: Duration;
}

/**
 * Lets Spark add executors while tasks wait, and remove those that are idle.
 *
 * @see https://spark.apache.org/docs/latest/job-scheduling.html#dynamic-resource-allocation
 */
export class DynamicAllocation {
  /**
   * From a least to a greatest number of executors.
   *
   * @param minExecutors The least number.
   * @param maxExecutors The greatest number.
   * @param options Executors at the start, and what happens to shuffle data.
   */
  public static between(minExecutors: number, maxExecutors: number, options: DynamicAllocationOptions = {}): DynamicAllocation {
    return DynamicAllocation.within('between', { minExecutors, maxExecutors }, options);
  }

  /**
   * From none to a greatest number of executors.
   *
   * @param maxExecutors The greatest number.
   * @param options Executors at the start, and what happens to shuffle data.
   */
  public static upTo(maxExecutors: number, options: DynamicAllocationOptions = {}): DynamicAllocation {
    return DynamicAllocation.within('upTo', { maxExecutors }, options);
  }

  /**
   * From a least number of executors to as many as there is work for. Only quotas bound them.
   *
   * @param minExecutors The least number.
   * @param options Executors at the start, and what happens to shuffle data.
   */
  public static atLeast(minExecutors: number, options: DynamicAllocationOptions = {}): DynamicAllocation {
    return DynamicAllocation.within('atLeast', { minExecutors }, options);
  }

  private static within(factory: string, bounds: Pick<DynamicAllocationSpec, 'minExecutors' | 'maxExecutors'>, options: DynamicAllocationOptions): DynamicAllocation {
    const { initialExecutors, shuffleTracking, shuffleTrackingTimeout } = options;
    const { minExecutors = 0, maxExecutors } = bounds;
    const timeout = shuffleTrackingTimeout?.toMilliseconds({ integral: false });
    refuseArguments(`DynamicAllocation.${factory}`, [
      wrongNumber('minExecutors', minExecutors, 0, MAX_INT32),
      wrongNumber('maxExecutors', maxExecutors, 1, MAX_INT32),
      maxExecutors !== undefined && minExecutors > maxExecutors
        ? { path: 'minExecutors', value: minExecutors, reason: `must not be greater than maxExecutors, ${maxExecutors}` } : undefined,
      wrongNumber('initialExecutors', initialExecutors, minExecutors, maxExecutors ?? MAX_INT32),
      wrongNumber('shuffleTrackingTimeout', timeout, 0),
      shuffleTracking === false && timeout !== undefined
        ? { path: 'shuffleTrackingTimeout', value: `${timeout} ms`, reason: 'has no effect without shuffleTracking: remove one of the two' } : undefined,
    ]);
    return new DynamicAllocation({
      enabled: true, ...bounds, initialExecutors, shuffleTrackingEnabled: shuffleTracking, shuffleTrackingTimeout: timeout,
    });
  }

  private constructor(private readonly spec: DynamicAllocationSpec) {}

  /** @internal */
  public _toSpec(): DynamicAllocationSpec {
    return this.spec;
  }
}

const MAX_INT32 = 2 ** 31 - 1;
