/** The batch schedulers of the cluster. Volcano and YuniKorn are known by their names. */
export interface OperatorBatchScheduling {
  /**
   * Names by which Kubernetes' own scheduler runs with the coscheduling plugin: those that pods write as their `schedulerName`. Of its chart that is `scheduler-plugins-scheduler`.
   *
   * @default - it does not run with the plugin
   */
  readonly kubeSchedulers?: string[];

  /**
   * The scheduler of applications that choose none: `volcano`, `yunikorn` or one of `kubeSchedulers`.
   *
   * @default - the cluster's scheduler, one pod at a time
   */
  readonly defaultScheduler?: string;
}
