/** Batch schedulers of the cluster. Volcano and YuniKorn are built in. */
export interface OperatorBatchScheduling {
  /**
   * Names of Kubernetes' own schedulers that run with the coscheduling plugin, as in
   * `schedulerName` of pods. In the plugin's chart it is `scheduler-plugins-scheduler`.
   *
   * @default - no scheduler runs with the plugin
   */
  readonly kubeSchedulers?: string[];

  /**
   * Scheduler of applications that choose none: `volcano`, `yunikorn` or one of `kubeSchedulers`.
   *
   * @default - the cluster's scheduler, one pod at a time
   */
  readonly defaultScheduler?: string;
}
