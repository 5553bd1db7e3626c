/** The PodGroups that a scheduler reads: their API group and version. */
export interface PodGroupKind {
  readonly group: string;
  readonly version: string;
}

/**
 * Schedulers that everybody calls the same: what users write in `batchScheduler`, and the PodGroups that are made for each. Those that have none are told all by the pods.
 * @internal
 */
export const NAMED_SCHEDULERS: { readonly volcano: { readonly podGroups: PodGroupKind }; readonly yunikorn: { readonly podGroups?: PodGroupKind } } = {
  volcano: { podGroups: { group: 'scheduling.volcano.sh', version: 'v1beta1' } },
  yunikorn: {},
};

/**
 * The PodGroups of the coscheduling plugin, under whatever names Kubernetes' own scheduler runs with it (`--kube-scheduler-names`).
 * @internal
 */
export const COSCHEDULING_POD_GROUPS: PodGroupKind = { group: 'scheduling.x-k8s.io', version: 'v1alpha1' };

/**
 * The names of the schedulers that are known without being told of.
 * @internal
 */
export const SCHEDULER_NAMES: readonly string[] = Object.keys(NAMED_SCHEDULERS);
