import type { Observation } from './decision';
import type { CircuitBreaker } from './circuit-breaker';
import type { DefaultsSource } from '../../defaults-source';
import type { KubeClient } from '../../../kube/client';
import type { Logger } from '../../../kube/logger';
import type { Store } from '../../../kube/store';
import type { PodView } from '../../../model/pod-view';
import type { SubmissionSettings } from '../../../plan/settings';

/** Dependencies of performing an action. */
export interface Performer {
  readonly client: KubeClient;
  readonly pods: Store<PodView>;
  readonly logger: Logger;
  /** Settings for submissions. */
  readonly submission: SubmissionSettings;
  /** Defaults and limits of the cluster. */
  readonly defaults?: Pick<DefaultsSource, 'current'>;
  /** Circuit breaker of the operator's webhook; the same one for all applications. */
  readonly circuitBreaker: CircuitBreaker;
  /** Aborts the calls under way when the operator stops. */
  readonly signal?: AbortSignal;
}

/** Outcome of an action: facts for the next decision that the next observation would not see. */
export interface Outcome extends Pick<Observation, 'failure' | 'cleanedUp' | 'submitting' | 'appliedDefaults' | 'warnings'> {
  /** The driver, after the operator created or found it. */
  readonly driver?: PodView;
  /** Whether an earlier reconcile, maybe of another operator, created the driver. @default false */
  readonly isFound?: boolean;
  /** Whether the operator deleted the application. */
  readonly deleted?: boolean;
  /**
   * Milliseconds until the operator retries to create the driver, for which it has no capacity now.
   * Objects that exist for the driver stay until then.
   */
  readonly later?: number;
}
