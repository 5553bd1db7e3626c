import { Duration } from 'cdk8s';
import { rejectArguments, seconds, wrongSeconds } from '../props/_check';
import { checkArguments, duration } from '../props/_prop-types';
import { BackoffType } from '../api/restart-policy';
import { SparkConnectRestartPolicySpec, SparkConnectRestartPolicyType } from '../api/spark-connect';

/** Waits before a server that has ended starts again. */
export interface SparkConnectRestartOptions {
  /**
   * First wait. Each further one is twice as long, and each varies by up to a fifth.
   *
   * @default Duration.seconds(5)
   */
  readonly interval?: Duration;

  /**
   * Maximum wait.
   *
   * @default Duration.minutes(5)
   */
  readonly maxInterval?: Duration;

  /**
   * Minimum time that a server must run to count as successful: the wait after its end is the first
   * one again.
   *
   * @default Duration.minutes(10)
   */
  readonly resetAfter?: Duration;
}

/** Whether a server that has ended starts again. */
export class SparkConnectRestartPolicy {
  /**
   * Starts the server again, after a wait that doubles up to a limit.
   *
   * @param options Waits.
   */
  public static always(options: SparkConnectRestartOptions = {}): SparkConnectRestartPolicy {
    options = checkArguments('SparkConnectRestartPolicy.always', { options }, {
      options: { interval: duration, maxInterval: duration, resetAfter: duration },
    }).options;
    const { interval, maxInterval, resetAfter } = options;
    rejectArguments('SparkConnectRestartPolicy.always', [
      wrongSeconds('interval', interval),
      wrongSeconds('maxInterval', maxInterval),
      wrongSeconds('resetAfter', resetAfter),
    ]);
    const [first, last] = [interval?.toSeconds() ?? 5, maxInterval?.toSeconds() ?? 300];
    if (first > last) {
      throw new Error(`SparkConnectRestartPolicy.always: interval (${first} s) must not be longer than maxInterval, ${last} s`);
    }
    const isBounded = maxInterval !== undefined || resetAfter !== undefined;
    return new SparkConnectRestartPolicy({
      type: SparkConnectRestartPolicyType.ALWAYS,
      interval: seconds(interval),
      backoff: isBounded ? {
        type: BackoffType.EXPONENTIAL, maxInterval: seconds(maxInterval), resetAfter: seconds(resetAfter),
      } : undefined,
    });
  }

  /** Does not start the server again: the SparkConnect has then failed. */
  public static never(): SparkConnectRestartPolicy {
    return new SparkConnectRestartPolicy({ type: SparkConnectRestartPolicyType.NEVER });
  }

  private constructor(private readonly spec: SparkConnectRestartPolicySpec) {}

  /** @internal */
  public _toConnectPolicy(): SparkConnectRestartPolicySpec {
    return this.spec;
  }
}
