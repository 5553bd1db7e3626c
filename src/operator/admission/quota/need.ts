import { amountsKnownInDriver, demandOf } from '../../../plan/demand/demand';
import type { PodSpec } from '../../../model/kubernetes-objects';
import { ConfReader } from '../../../plan/native/conf-reader';
import type { SubmissionResource } from '../../../plan/native/feature-step';
import { amountsOf, plus, UNIT, type Amounts } from '../../../plan/demand/amounts';
import { initialExecutors, sparkPod } from '../../../plan/demand/pods';
import { mainContainer, type PreparedSubmission } from '../../../plan/prepare';
import type { Submittable } from '../../../plan/plan-application';

/** What an application puts into its namespace when it begins. */
export interface Need {
  readonly driver: PodSpec;
  readonly executor: PodSpec;
  /** Executors at the beginning. */
  readonly executors: number;
  /** Where that number is written. */
  readonly executorsField: string;
  /** What is made besides pods, by the names that quotas have for it. */
  readonly objects: Amounts;
  /** Where the sizes of claims that are made are written. */
  readonly storageFields: readonly string[];
}

/**
 * What the pods of an application are going to be, with the amounts that Spark gives its own container, and how many there are when it begins. With dynamic
 * allocation that is the number that Spark starts with, and not the greatest one: Kubernetes keeps back later ones until there is room.
 *
 * Not counted is what comes later or from elsewhere: claims that Spark makes for executors, Services and Ingresses of web UIs, and what a RuntimeClass or
 * a LimitRange adds to a pod. Of claims only their number and `requests.storage` count, not what quotas have for a storage class
 * (`<class>.storageclass.storage.k8s.io/requests.storage`): a claim that names none gets the cluster's default class.
 *
 * @returns undefined if an amount is known only in the driver, as with `${env:A}`
 * @throws SubmissionError if an amount cannot be read
 */
export function needOf({ prepared, submission }: Submittable): Need | undefined {
  const { metadata, spec, executorTemplate } = prepared;
  const demand = demandOf({ metadata, spec });
  if (demand.unknown.length > 0 || amountsKnownInDriver(prepared.properties).length > 0) return undefined;
  const driver = submission.kind === 'native'
    ? submission.objects.driver.spec
    : sparkPod(prepared, 'driver', submission.objects.driverTemplate.spec, mainContainer(prepared, 'driver'));
  const executor = sparkPod(prepared, 'executor', executorTemplate.spec, mainContainer(prepared, 'executor'));
  const { count, field } = initialExecutors(prepared.properties, prepared.version);
  const objects = objectsOf(submission.kind === 'native' ? submission.objects.resources : [], count > 0 && hasConfigMap(prepared));
  return { driver, executor, executors: count, executorsField: field, objects, storageFields: storageFieldsOf(prepared) };
}

/** Claims are made where their size is said (MountVolumesFeatureStep). */
function storageFieldsOf({ properties }: PreparedSubmission): string[] {
  const prefix = 'spark.kubernetes.driver.volumes.persistentVolumeClaim.';
  return properties.withPrefix(prefix).filter(([key]) => /^[^.]+[.]options[.]sizeLimit$/.test(key)).map(([key]) => properties.fieldOf(prefix + key));
}

/** The driver makes one for its executors. */
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
  const storage = resources.flatMap((resource) => (resource.kind === 'PersistentVolumeClaim' ? [amountsOf(resource.spec.resources?.requests).get('storage') ?? 0n] : []));
  return plus(
    ...resources.map((resource) => counted(resource.kind === 'PodGroup' ? [`count/podgroups.${resource.apiVersion.split('/')[0]}`] : NAMES[resource.kind])),
    ...(withExecutors && resources.length > 0 ? [counted(NAMES.ConfigMap)] : []),
    ...storage.map((amount) => new Map([['requests.storage', amount]])),
  );
}
