import { Duration } from 'cdk8s';

/** Leader election of the operator's replicas. */
export interface LeaderElection {
  /**
   * Name of the Lease, in the operator's namespace. Two operators in one namespace with the same
   * name exclude each other.
   *
   * @default - `spark-operator-controller-lock`, that of kubeflow's chart if its release is named
   * `spark-operator`
   */
  readonly leaseName?: string;

  /**
   * Time without a renewal after which another replica takes over; whole seconds.
   *
   * @default Duration.seconds(15)
   */
  readonly leaseDuration?: Duration;

  /**
   * Time without a renewal after which the active replica stops; less than `leaseDuration`.
   *
   * @default Duration.seconds(10)
   */
  readonly renewDeadline?: Duration;

  /**
   * Time between two renewals; less than `renewDeadline` by at least a fifth.
   *
   * @default Duration.seconds(2)
   */
  readonly retryPeriod?: Duration;
}
