import type { Observation } from './decision';
import type { CircuitBreaker } from './webhook-gate';
import type { DefaultsSource } from '../defaults-source';
import type { KubeClient } from '../../kube/client';
import type { Logger } from '../../kube/logger';
import type { Store } from '../../kube/store';
import type { PodView } from '../../model/pod-view';
import type { SubmissionSettings } from '../../plan/settings';

/** Dependencies of performing an action. */
export interface Performer {
  readonly client: KubeClient;
  readonly pods: Store<PodView>;
  readonly logger: Logger;
  /** How applications are submitted. */
  readonly submission: SubmissionSettings;
  /** Defaults and limits of the cluster. */
  readonly defaults?: Pick<DefaultsSource, 'current'>;
  /** Whether the operator's webhook can be called, as far as is known; the same one for all applications. */
  readonly circuitBreaker: CircuitBreaker;
  /** Ends the calls under way when the operator stops. */
  readonly signal?: AbortSignal;
}

/** The outcome of an action: facts for the next decision that the next observation would not see. */
export interface Outcome extends Pick<Observation, 'failure' | 'cleanedUp' | 'submitting' | 'appliedDefaults' | 'warnings'> {
  /** The driver, after it was created or found. */
  readonly driver?: PodView;
  /** The application was deleted. */
  readonly deleted?: boolean;
  /** The driver was not created: there is no room at the moment. Milliseconds until it is to be tried again; what there is for it already stays until then. */
  readonly later?: number;
}
