import { LABEL_LAUNCHED_BY } from '../../../../api/labels';
import type { PodDisruptionBudget } from '../../../../model/kubernetes-objects';
import type { OwnedSettings } from '../../../owned/settings';
import { driverPodName } from '../../../../plan/identity';
import type { SparkApplication } from '../../../../model/spark-application';
import { driverSelector } from './driver-service';
import { metadataOf } from './metadata';

/**
 * Returns the PodDisruptionBudget that protects the driver from eviction when its node is drained;
 * undefined unless operator and application enable it. It has the name of the driver's Pod.
 */
export function driverDisruptionBudget(application: SparkApplication, settings: OwnedSettings): PodDisruptionBudget | undefined {
  if (!settings.driverPodDisruptionBudget || !application.spec.driverPodDisruptionBudget) return undefined;
  const name = application.status?.driverInfo.podName ?? driverPodName(application);
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadataOf(application, name, { labels: { [LABEL_LAUNCHED_BY]: 'true' } }),
    spec: { minAvailable: 1, selector: { matchLabels: { ...driverSelector(application) } } },
  };
}
