import { overridden } from '../../model/problem';
import { type Concern, fieldOf, type PodCustomization } from './pod-template';
import { lost, podSource } from './replace';

/** Property with the scheduler of driver and executors. */
const GENERAL = 'spark.kubernetes.scheduler.name';

/**
 * Returns the scheduler by the fields, and its field: the application's `batchScheduler`, otherwise
 * `schedulerName`.
 */
export function chosenScheduler(
  request: Pick<PodCustomization, 'role' | 'spec' | 'application'>,
): { readonly name: string; readonly field: string } | undefined {
  const { application: { batchScheduler }, spec: { schedulerName: own } } = request;
  if (batchScheduler) {
    return { name: batchScheduler, field: 'spec.batchScheduler' };
  }
  return own ? { name: own, field: fieldOf(request, 'schedulerName') } : undefined;
}

/**
 * Returns the Spark property that sets the scheduler, if one does (KubernetesConf.schedulerName).
 */
export function schedulerProperty({ role, properties }: PodCustomization): string | undefined {
  return [`spark.kubernetes.${role}.scheduler.name`, GENERAL].find(key => properties.has(key));
}

/** `schedulerName`, or the application's `batchScheduler`, which takes precedence. */
export const schedulerName: Concern = (spec, request) => {
  const chosen = chosenScheduler(request);
  if (!chosen) {
    return { spec };
  }
  const { spec: { schedulerName: own }, properties } = request;
  const property = schedulerProperty(request);
  const source = property !== undefined && properties.get(property) === spec.schedulerName
    ? properties.fieldOf(property)
    : podSource(request, 'schedulerName');
  const warnings = [
    ...(own && own !== chosen.name ? [overridden(fieldOf(request, 'schedulerName'), chosen.field)] : []),
    ...lost(spec.schedulerName, chosen.name, source, chosen.field),
    ...lost(properties.get(GENERAL), chosen.name, properties.fieldOf(GENERAL), chosen.field),
  ];
  return { spec: spec.schedulerName === chosen.name ? spec : { ...spec, schedulerName: chosen.name }, warnings };
};
