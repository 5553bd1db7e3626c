/** API group and version of the PodGroups that a scheduler reads. */
export interface PodGroupKind {
  readonly group: string;
  readonly version: string;
}

/**
 * Schedulers with a fixed name: the values of `batchScheduler`, and the PodGroups that the operator
 * creates for each. Schedulers without PodGroups get all settings from the pods.
 * @internal
 */
export const NAMED_SCHEDULERS: {
  readonly volcano: { readonly podGroups: PodGroupKind };
  readonly yunikorn: { readonly podGroups?: PodGroupKind };
} = {
  volcano: { podGroups: { group: 'scheduling.volcano.sh', version: 'v1beta1' } },
  yunikorn: {},
};

/**
 * PodGroups of the coscheduling plugin, for any names under which Kubernetes' own scheduler runs
 * with it (`--kube-scheduler-names`).
 * @internal
 */
export const COSCHEDULING_POD_GROUPS: PodGroupKind = { group: 'scheduling.x-k8s.io', version: 'v1alpha1' };

/**
 * Names of the schedulers that need no configuration.
 * @internal
 */
export const SCHEDULER_NAMES: readonly string[] = Object.keys(NAMED_SCHEDULERS);
