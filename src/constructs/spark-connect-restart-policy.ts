import { Duration } from 'cdk8s';
import { refuseArguments, seconds, wrongSeconds } from '../props/_check';
import { BackoffType } from '../api/restart-policy';
import { SparkConnectRestartPolicySpec, SparkConnectRestartPolicyType } from '../api/spark-connect';

/** How long to wait before a server that has ended is started again. */
export interface SparkConnectRestartOptions {
  /**
   * The first wait. Each further one is twice as long.
   *
   * @default Duration.seconds(5)
   */
  readonly interval?: Duration;

  /**
   * What no wait exceeds.
   *
   * @default Duration.minutes(5)
   */
  readonly maxInterval?: Duration;

  /**
   * A server that ran this long has worked: the wait after its end is the first one again.
   *
   * @default Duration.minutes(10)
   */
  readonly resetAfter?: Duration;
}

/** Whether a server that has ended is started again. */
export class SparkConnectRestartPolicy {
  /**
   * It is started again, after a wait that doubles up to a limit.
   *
   * @param options The waits.
   */
  public static always(options: SparkConnectRestartOptions = {}): SparkConnectRestartPolicy {
    const { interval, maxInterval, resetAfter } = options;
    refuseArguments('SparkConnectRestartPolicy.always', [
      wrongSeconds('interval', interval),
      wrongSeconds('maxInterval', maxInterval),
      wrongSeconds('resetAfter', resetAfter),
    ]);
    const [first, last] = [interval?.toSeconds() ?? 5, maxInterval?.toSeconds() ?? 300];
    if (first > last) throw new Error(`SparkConnectRestartPolicy.always: interval (${first} s) must not be longer than maxInterval, ${last} s`);
    const isBounded = maxInterval !== undefined || resetAfter !== undefined;
    return new SparkConnectRestartPolicy({
      type: SparkConnectRestartPolicyType.ALWAYS,
      interval: seconds(interval),
      backoff: isBounded ? { type: BackoffType.EXPONENTIAL, maxInterval: seconds(maxInterval), resetAfter: seconds(resetAfter) } : undefined,
    });
  }

  /** It is not started again: the SparkConnect has failed. */
  public static never(): SparkConnectRestartPolicy {
    return new SparkConnectRestartPolicy({ type: SparkConnectRestartPolicyType.NEVER });
  }

  private constructor(private readonly spec: SparkConnectRestartPolicySpec) {}

  /** @internal */
  public _toSpec(): SparkConnectRestartPolicySpec {
    return this.spec;
  }
}
