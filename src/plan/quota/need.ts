import { amountsKnownInDriver, demandOf } from '../demand/demand';
import type { PodSpec } from '../../model/kubernetes-objects';
import { ConfReader } from '../native/conf-reader';
import type { SubmissionResource } from '../native/feature-step';
import { amountsOf, plus, UNIT, type Amounts } from '../demand/amounts';
import { initialExecutors, sparkPod } from '../demand/pods';
import { mainContainer, type PreparedSubmission } from '../prepare';
import type { Submittable } from '../plan-application';

/** Objects that an application creates in its namespace when it begins. */
export interface Need {
  readonly driver: PodSpec;
  readonly executor: PodSpec;
  /** Executors at the beginning. */
  readonly executors: number;
  /** Field with that number. */
  readonly executorsField: string;
  /** Number and size of the objects other than pods, by the resource names of quotas. */
  readonly objects: Amounts;
  /** Fields with the sizes of the claims. */
  readonly storageFields: readonly string[];
}

/**
 * Returns the pods of an application, with the amounts that Spark gives its own container, and the
 * initial number of executors. With dynamic allocation that is Spark's initial number, not the
 * maximum. Kubernetes delays later executors until there is room.
 *
 * It ignores objects that come later or from elsewhere: claims that Spark creates for executors,
 * and Services and Ingresses of web UIs. It also ignores additions by a RuntimeClass or LimitRange.
 * It includes the number of claims and `requests.storage`, but not quotas of a storage class
 * (`<class>.storageclass.storage.k8s.io/requests.storage`). A claim without a class gets the
 * cluster's default class.
 *
 * @returns undefined if an amount is known only in the driver, as with `${env:A}`
 * @throws SubmissionError if an amount cannot be read
 */
export function needOf({ prepared, submission }: Submittable): Need | undefined {
  const { metadata, spec, executorPod } = prepared;
  const demand = demandOf({ metadata, spec });
  if (demand.unknown.length > 0 || amountsKnownInDriver(prepared.properties).length > 0) return undefined;
  const driver = submission.kind === 'native'
    ? submission.objects.driver.spec
    : sparkPod(prepared, 'driver', submission.objects.driverTemplate.spec, mainContainer(prepared, 'driver'));
  const executor = sparkPod(prepared, 'executor', executorPod.spec, mainContainer(prepared, 'executor'));
  const { count, field } = initialExecutors(prepared.properties, prepared.version);
  const objects = objectsOf(submission.kind === 'native' ? submission.objects.resources : [], count > 0 && hasConfigMap(prepared));
  return { driver, executor, executors: count, executorsField: field, objects, storageFields: storageFieldsOf(prepared) };
}

/**
 * Returns the fields with the sizes of claims. Spark creates a claim if its size is set
 * (MountVolumesFeatureStep).
 */
function storageFieldsOf({ properties }: PreparedSubmission): string[] {
  const prefix = 'spark.kubernetes.driver.volumes.persistentVolumeClaim.';
  const sizes = properties.withPrefix(prefix).filter(([key]) => /^[^.]+[.]options[.]sizeLimit$/.test(key));
  return sizes.map(([key]) => properties.fieldOf(prefix + key));
}

/** Whether the driver creates a ConfigMap for its executors. */
function hasConfigMap({ properties, version }: PreparedSubmission): boolean {
  return !new ConfReader(properties, version).boolean(['spark.kubernetes.executor.disableConfigMap'], false);
}

const NAMES: { readonly [kind in Exclude<SubmissionResource['kind'], 'PodGroup'>]: readonly string[] } = {
  ConfigMap: ['configmaps', 'count/configmaps'],
  Service: ['services', 'count/services'],
  PersistentVolumeClaim: ['persistentvolumeclaims', 'count/persistentvolumeclaims'],
  NetworkPolicy: ['count/networkpolicies.networking.k8s.io'],
};

function objectsOf(resources: readonly SubmissionResource[], withExecutors: boolean): Amounts {
  const counted = (names: readonly string[]) => new Map(names.map((name) => [name, UNIT]));
  const storage = resources.flatMap((resource) => (
    resource.kind === 'PersistentVolumeClaim' ? [amountsOf(resource.spec.resources?.requests).get('storage') ?? 0n] : []
  ));
  return plus(
    ...resources.map((resource) => counted(
      resource.kind === 'PodGroup' ? [`count/podgroups.${resource.apiVersion.split('/')[0]}`] : NAMES[resource.kind],
    )),
    ...(withExecutors && resources.length > 0 ? [counted(NAMES.ConfigMap)] : []),
    ...storage.map((amount) => new Map([['requests.storage', amount]])),
  );
}
