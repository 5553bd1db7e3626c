import { SparkApplicationSpec } from '../api/spark-application';
import { DriverSpec, ExecutorSpec } from '../api/spark-pod';

/**
 * What can be written to.
 * @internal
 */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * A specification that helpers still change: its maps and lists are its own.
 * @internal
 */
export interface ChangingSpec extends Omit<Mutable<SparkApplicationSpec>, 'driver' | 'executor'> {
  readonly driver: Mutable<DriverSpec>;
  readonly executor: Mutable<ExecutorSpec>;
}
