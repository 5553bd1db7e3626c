import { SparkApplicationSpec } from '../api/spark-application';
import { DriverSpec, ExecutorSpec } from '../api/spark-pod';

/**
 * Removes `readonly` from all fields.
 * @internal
 */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Specification that methods still change; its maps and lists are copies.
 * @internal
 */
export interface ChangingSpec extends Omit<Mutable<SparkApplicationSpec>, 'driver' | 'executor'> {
  readonly driver: Mutable<DriverSpec>;
  readonly executor: Mutable<ExecutorSpec>;
}
