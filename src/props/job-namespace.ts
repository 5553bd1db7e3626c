import type { Layer } from '../plan/defaults/layer';
import type { ResourceQuota } from '../plan/quota/resource-quota';
import type { SubmissionSettings } from '../plan/settings';

/** A namespace for Spark applications: a `SparkJobNamespace`. */
export interface ISparkJobNamespace {
  /** Name of the namespace. */
  readonly name: string;

  /** Name of the service account for drivers. */
  readonly serviceAccountName: string;

  /**
   * Returns what is known about the namespace.
   * @internal
   */
  _known(): KnownNamespace;
}

/**
 * The namespace of a workload, as far as synthesis knows it.
 * @internal
 */
export interface KnownNamespace {
  /** Its defaults and limits. */
  readonly layer: Layer;
  readonly quota?: ResourceQuota;
  /** Settings of its operator. */
  readonly submission?: SubmissionSettings;
}
