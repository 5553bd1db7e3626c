import type { Resource } from '../../kube/resource';
import type { PodGroup } from '../../model/kubernetes-objects';
import { kubeScheduler } from './kube-scheduler';
import type { BatchScheduler, BatchSchedulerSettings } from './scheduler';
import { volcano } from './volcano';
import { yunikorn } from './yunikorn';

/** Those that everybody calls the same. */
const NAMED: readonly BatchScheduler[] = [volcano, yunikorn];

/** The schedulers that an operator knows. */
export function schedulersOf({ kubeSchedulers }: BatchSchedulerSettings): readonly BatchScheduler[] {
  return [...NAMED, ...kubeSchedulers.map(kubeScheduler)];
}

/** The scheduler of a name; undefined if the operator does not know it. */
export function schedulerNamed(name: string, settings: BatchSchedulerSettings): BatchScheduler | undefined {
  return schedulersOf(settings).find((scheduler) => scheduler.name === name);
}

/** A group of pods by its name. */
export interface NamedGroup {
  readonly resource: Resource<PodGroup>;
  readonly name: string;
}

/** What the group of an application is called, and its kind, where one is made for the scheduler of that name; as kubeflow/spark-operator calls it, too. */
export function groupOf(application: string, scheduler: string | undefined, settings: BatchSchedulerSettings | undefined): NamedGroup | undefined {
  const { resource, groupName } = (settings && scheduler && schedulerNamed(scheduler, settings)) || {};
  return resource && groupName && { resource, name: groupName(application) };
}

/** The kinds of what an operator makes for schedulers. */
export function schedulerResources(settings: BatchSchedulerSettings | undefined): readonly Resource<PodGroup>[] {
  return settings ? [...new Set(schedulersOf(settings).flatMap(({ resource }) => resource ?? []))] : [];
}

/** The kinds of what is made for schedulers, whatever the operator is set up for. */
export const ALL_SCHEDULER_RESOURCES: readonly Resource<PodGroup>[] = schedulerResources({ kubeSchedulers: [''] });

/** The kind of an object that was made for a scheduler. */
export function resourceOfGroup({ apiVersion }: Pick<PodGroup, 'apiVersion'>): Resource<PodGroup> {
  return ALL_SCHEDULER_RESOURCES.find(({ group, version }) => apiVersion === `${group}/${version}`)!;
}
