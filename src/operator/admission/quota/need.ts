import { demandOf } from '../../defaults/demand';
import type { Container, PodSpec } from '../../kubernetes-objects';
import { sparkContainer } from '../../pods/container';
import { memoryQuantity } from '../../pods/memory-limit';
import { ConfReader } from '../../submission/native/conf-reader';
import type { SubmissionResource } from '../../submission/native/feature-step';
import { planSparkSubmit } from '../../submission/plan';
import type { Role } from '../../submission/pod-properties';
import { mainContainer, withContainer, type PreparedSubmission } from '../../submission/prepare';
import type { Submittable } from '../validate/preparation-findings';
import { amountsOf, plus, UNIT, type Amounts } from './amounts';

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
export function needOf({ prepared, plan }: Submittable): Need | undefined {
  const { metadata, spec, executorTemplate } = prepared;
  const demand = demandOf({ metadata, spec });
  if (demand.unknown.length > 0) return undefined;
  const driver = plan?.driver.spec ?? sparkPod(prepared, 'driver', planSparkSubmit(prepared).driverTemplate.spec, demand.driver.memory[0]!.value);
  const executor = sparkPod(prepared, 'executor', executorTemplate.spec, demand.executor.memory[0]!.value);
  const { count, field } = executorsOf(prepared);
  const objects = objectsOf(plan?.resources ?? [], count > 0 && hasConfigMap(prepared));
  return { driver, executor, executors: count, executorsField: field, objects, storageFields: storageFieldsOf(prepared) };
}

/** The pod that Spark makes of a template, as far as quotas look at it (BasicDriverFeatureStep, BasicExecutorFeatureStep). */
function sparkPod(prepared: PreparedSubmission, role: Role, template: PodSpec | null | undefined, mebibytes: number): PodSpec {
  const request = { container: mainContainer(prepared, role) };
  const spec: PodSpec = withContainer({ spec: template }, request.container).spec!;
  const container = sparkContainer(spec, request)!;
  const { memoryLimit } = prepared.spec[role];
  const { properties, version } = prepared;
  const conf = new ConfReader(properties, version);
  const memory = `${mebibytes}Mi`;
  const coreLimit = conf.text(`spark.kubernetes.${role}.limit.cores`);
  const changed: Container = {
    ...container,
    resources: {
      ...container.resources,
      requests: { ...container.resources?.requests, cpu: conf.text(`spark.kubernetes.${role}.request.cores`, `spark.${role}.cores`) ?? '1', memory },
      limits: {
        ...container.resources?.limits,
        ...(coreLimit !== undefined && { cpu: coreLimit }),
        // Executors get theirs by the webhook.
        memory: memoryLimit ? memoryQuantity(memoryLimit, `spec.${role}.memoryLimit`) : memory,
        ...devices(prepared, role),
      },
    },
  };
  return { ...spec, containers: spec.containers.map((other) => (other === container ? changed : other)) };
}

/** Such as GPUs, by the names that their plug-ins give them in Kubernetes (KubernetesUtils.buildResourcesQuantities). */
function devices({ properties }: PreparedSubmission, role: Role): { readonly [name: string]: string } {
  const prefix = `spark.${role}.resource.`;
  return Object.fromEntries(properties.withPrefix(prefix).flatMap(([key, vendor]): [string, string][] => {
    const name = /^([^.]+)\.vendor$/.exec(key)?.[1];
    const amount = name === undefined ? undefined : properties.get(`${prefix}${name}.amount`)?.trim();
    return amount === undefined || !/^[1-9][0-9]*$/.test(amount) ? [] : [[`${vendor}/${name}`, amount]];
  }));
}

/** The greatest of the numbers that Spark finds (Utils.getDynamicAllocationInitialExecutors). */
function executorsOf({ properties, version }: PreparedSubmission): { readonly count: number; readonly field: string } {
  const conf = new ConfReader(properties, version);
  const isDynamic = conf.boolean(['spark.dynamicAllocation.enabled'], false);
  const keys = ['spark.executor.instances', ...(isDynamic ? ['spark.dynamicAllocation.initialExecutors', 'spark.dynamicAllocation.minExecutors'] : [])];
  const numbers = keys.map((key) => ({ count: Math.max(conf.integer(key) ?? 0, 0), field: properties.fieldOf(key) }));
  return numbers.reduce((most, other) => (other.count > most.count ? other : most));
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

const NAMES: { readonly [kind in SubmissionResource['kind']]: readonly string[] } = {
  ConfigMap: ['configmaps', 'count/configmaps'],
  Service: ['services', 'count/services'],
  PersistentVolumeClaim: ['persistentvolumeclaims', 'count/persistentvolumeclaims'],
  NetworkPolicy: ['count/networkpolicies.networking.k8s.io'],
};

function objectsOf(resources: readonly SubmissionResource[], withExecutors: boolean): Amounts {
  const counted = (names: readonly string[]) => new Map(names.map((name) => [name, UNIT]));
  const storage = resources.flatMap((resource) => (resource.kind === 'PersistentVolumeClaim' ? [amountsOf(resource.spec.resources?.requests).get('storage') ?? 0n] : []));
  return plus(
    ...resources.map(({ kind }) => counted(NAMES[kind])),
    ...(withExecutors && resources.length > 0 ? [counted(NAMES.ConfigMap)] : []),
    ...storage.map((amount) => new Map([['requests.storage', amount]])),
  );
}
