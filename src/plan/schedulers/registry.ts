import type { Resource } from '../../kube/resource';
import type { PodGroup } from '../../model/kubernetes-objects';
import { kubeScheduler } from './kube-scheduler';
import type { BatchSchedulerSettings } from '../settings';
import type { BatchScheduler } from './scheduler';
import { volcano } from './volcano';
import { yunikorn } from './yunikorn';

/** Schedulers with a fixed name. */
const NAMED: readonly BatchScheduler[] = [volcano, yunikorn];

/** Returns the schedulers that an operator supports. */
export function schedulersOf({ kubeSchedulers }: BatchSchedulerSettings): readonly BatchScheduler[] {
  return [...NAMED, ...kubeSchedulers.map(kubeScheduler)];
}

/** Returns the scheduler of a name; undefined if the operator does not support it. */
export function schedulerNamed(name: string, settings: BatchSchedulerSettings): BatchScheduler | undefined {
  return schedulersOf(settings).find((scheduler) => scheduler.name === name);
}

/** Reference to a PodGroup. */
export interface NamedGroup {
  readonly resource: Resource<PodGroup>;
  readonly name: string;
}

/**
 * Returns a reference to the PodGroup of an application, if its scheduler uses one. Its name is
 * also that of kubeflow/spark-operator.
 */
export function groupOf(
  application: string, scheduler: string | undefined, settings: BatchSchedulerSettings | undefined,
): NamedGroup | undefined {
  const { resource, groupName } = (settings && scheduler && schedulerNamed(scheduler, settings)) || {};
  return resource && groupName && { resource, name: groupName(application) };
}

/** Returns the kinds of objects that an operator creates for schedulers. */
export function schedulerResources(settings: BatchSchedulerSettings | undefined): readonly Resource<PodGroup>[] {
  return settings ? [...new Set(schedulersOf(settings).flatMap(({ resource }) => resource ?? []))] : [];
}

/** Kinds of objects for schedulers, whatever the operator's configuration is. */
export const ALL_SCHEDULER_RESOURCES: readonly Resource<PodGroup>[] = schedulerResources({ kubeSchedulers: [''] });

/** Returns the kind of an object for a scheduler. */
export function resourceOfGroup({ apiVersion }: Pick<PodGroup, 'apiVersion'>): Resource<PodGroup> {
  return ALL_SCHEDULER_RESOURCES.find(({ group, version }) => apiVersion === `${group}/${version}`)!;
}
