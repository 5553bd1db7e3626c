import {
  ANNOTATION_LEFT_TO_WEBHOOK, LABEL_SPARK_APP_SELECTOR, LABEL_SPARK_ROLE, LABEL_SUBMISSION_ID, SPARK_USER_ID, SUBMITTER_CONTAINER,
  SUBMITTER_ROLE,
} from '../../api/labels';
import type { Container, EnvVar, PodSecurityContext, PodSpec, ResourceRequirements, Volume, VolumeMount } from '../../k8s';
import type { Pod, StringMap } from '../../model/kubernetes-objects';
import { containerArgs } from '../../rules/container-args';
import { parseQuantity } from '../../rules/quantity';
import { ConfReader } from '../native/conf-reader';
import { driverEnvironment, excludedSteps, EXCLUDED_STEPS, NETWORK_POLICY_STEP } from '../native/build';
import type { DriverContainer, SubmissionResource } from '../native/feature-step';
import { executorPolicy } from '../native/network-policy';
import type { PodTemplate } from '../pods/pod-template';
import type { PreparedSubmission } from '../prepare';
import { sparkSubmitArguments } from './arguments';
import { SUBMIT_SCRIPT } from './submit-script';

/** Objects that run spark-submit for one application. */
export interface Submitter {
  readonly pod: Pod;
  /**
   * The ConfigMap with script and pod templates, and Spark's NetworkPolicy. The operator creates
   * them before the Pod.
   */
  readonly resources: readonly SubmissionResource[];
}

/** Pod templates for spark-submit. */
export interface SubmitterTemplates {
  readonly driver: PodTemplate;
  readonly executor: PodTemplate;
}

/** Default deadline of the Pod, in milliseconds. */
export const SPARK_SUBMIT_TIMEOUT = 300_000;

/** Folder of the script and the templates. */
const FOLDER = '/etc/spark-submit';

/** Maximum memory limit of the Pod. Measured: 200 to 254 MB. */
export const SUBMITTER_MEMORY = '1Gi';
/** Maximum CPU limit of the Pod. */
const MAX_CPU = '1';
const REQUESTS = { cpu: '200m', memory: '512Mi' };

/**
 * Returns the Pod that runs spark-submit in the driver's image, under the driver's service account
 * and with the driver's variables and configuration. Pure. The Pod meets the restricted Pod
 * Security Standard, even if the driver does not.
 *
 * @throws SubmissionError if a value cannot be submitted
 */
export function submitter(prepared: PreparedSubmission, templates: SubmitterTemplates): Submitter {
  const { metadata: { namespace }, context, identity, version, properties, application } = prepared;
  const name = `${identity.resourcePrefix}-submit`;
  const driver = driverEnvironment({
    properties, application, version, identity, namespace, driverTemplate: templates.driver, sparkUser: context.sparkUser,
    submitTime: context.submitTime.getTime(),
  });
  const excluded = excludedSteps({ conf: new ConfReader(properties, version), version });
  const hasPolicy = version.features.networkPolicy && !excluded.includes(NETWORK_POLICY_STEP);
  const given = properties.copy();
  // The permission to write NetworkPolicies would open isolated namespaces, so the operator creates
  // the policy.
  if (hasPolicy) given.set(EXCLUDED_STEPS, [...excluded, NETWORK_POLICY_STEP].join(), properties.fieldOf(EXCLUDED_STEPS));
  const ofDriver = properties.get('spark.kubernetes.driver.master');
  const args = sparkSubmitArguments({
    properties: given, application, master: ofDriver && !ofDriver.startsWith('local') ? `k8s://${ofDriver}` : properties.get('spark.master')!,
    templates: { driver: `${FOLDER}/driver.json`, executor: `${FOLDER}/executor.json` },
  });
  const { metadata, spec } = driver.pod;
  return {
    resources: [
      {
        apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, immutable: true,
        data: {
          'submit.sh': SUBMIT_SCRIPT, 'driver.json': JSON.stringify(templates.driver), 'executor.json': JSON.stringify(templates.executor),
        },
      },
      ...(hasPolicy
        ? [executorPolicy(`${identity.resourcePrefix}-policy`, namespace, { [LABEL_SUBMISSION_ID]: context.submissionID })]
        : []),
    ],
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace,
        labels: { ...forSubmitter(metadata.labels, [LABEL_SPARK_APP_SELECTOR]), [LABEL_SPARK_ROLE]: SUBMITTER_ROLE },
        annotations: forSubmitter(metadata.annotations, [ANNOTATION_LEFT_TO_WEBHOOK]),
      },
      spec: podSpec(spec, driver.container, { args, configMap: name, timeout: context.sparkSubmitTimeout }),
    },
  };
}

/** Labels and annotations of batch schedulers, whose groups count Pods. */
const GANG = /^(kueue\.x-k8s\.io|yunikorn\.apache\.org|scheduling\.(x-)?k8s\.io|(.*\.)?volcano\.sh)\//;

/**
 * Annotations with the AppArmor profile of a container. The API server rejects those of a container
 * that the Pod does not have, and `unconfined` violates the restricted standard.
 */
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

function forSubmitter(map: StringMap = {}, others: readonly string[]): { [name: string]: string } {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !GANG.test(key) && !key.startsWith(APP_ARMOR) && !others.includes(key)));
}

/** Values of the Pod that do not come from the driver. */
interface Run {
  readonly args: readonly string[];
  readonly configMap: string;
  readonly timeout?: number;
}

/**
 * Fields of the driver that decide where it can run, and how it reaches the image's registry and
 * the API server.
 */
const KEPT = [
  'nodeSelector', 'tolerations', 'imagePullSecrets', 'priorityClassName', 'runtimeClassName', 'dnsPolicy', 'dnsConfig', 'hostAliases',
  'serviceAccountName',
] as const satisfies readonly (keyof PodSpec)[];

function podSpec(driver: PodSpec, container: DriverContainer, { args, configMap, timeout = SPARK_SUBMIT_TIMEOUT }: Run): Pod['spec'] {
  const volumes = (driver.volumes ?? []).filter(isConfiguration);
  const mounts = (container.volumeMounts ?? []).filter(({ name }) => volumes.some((volume) => volume.name === name));
  const nodeAffinity = driver.affinity?.nodeAffinity;
  return {
    ...Object.fromEntries(KEPT.flatMap((field) => (driver[field] === undefined ? [] : [[field, driver[field]]]))),
    ...(nodeAffinity && { affinity: { nodeAffinity } }),
    restartPolicy: 'Never',
    activeDeadlineSeconds: Math.max(1, Math.ceil(timeout / 1_000)),
    terminationGracePeriodSeconds: 5,
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    securityContext: securityContext(driver, container),
    containers: [submitContainer(container, mounts, args, configMap)],
    volumes: [...volumes, { name: configMap, configMap: { name: configMap } }],
  };
}

function submitContainer(driver: DriverContainer, mounts: readonly VolumeMount[], args: readonly string[], configMap: string): Container {
  const { image, imagePullPolicy, envFrom, env } = driver;
  return {
    name: SUBMITTER_CONTAINER,
    image,
    imagePullPolicy,
    // The entrypoint of Spark's images runs any command that is not one of its own.
    args: containerArgs(['bash', `${FOLDER}/submit.sh`, ...args]),
    ...(envFrom && { envFrom }),
    env: (env ?? []).filter(isForSubmitter),
    resources: resources(driver),
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [...mounts.map(({ mountPropagation: _, ...mount }) => mount), { name: configMap, mountPath: FOLDER }],
  };
}

/**
 * Returns the resources, with limits up to the driver's. A namespace that admits the driver so also
 * admits this Pod: a ResourceQuota can require a CPU limit, and a LimitRange can limit the memory.
 */
function resources({ resources: { limits } = {} }: DriverContainer): ResourceRequirements {
  const cpu = limits?.cpu === undefined ? undefined : lessOf(String(limits.cpu), MAX_CPU);
  const memory = lessOf(String(limits?.memory ?? SUBMITTER_MEMORY), SUBMITTER_MEMORY);
  return {
    requests: { ...REQUESTS, ...(cpu !== undefined && { cpu: lessOf(cpu, REQUESTS.cpu) }) },
    limits: { ...(cpu !== undefined && { cpu }), memory: isLess(memory, REQUESTS.memory) ? REQUESTS.memory : memory },
  };
}

/** Returns the smaller quantity, and the maximum in place of an invalid one. */
function lessOf(quantity: string, most: string): string {
  return isLess(quantity, most) ? quantity : most;
}

function isLess(quantity: string, other: string): boolean {
  const amount = parseQuantity(quantity);
  return amount !== undefined && amount < parseQuantity(other)!;
}

/**
 * Whether a volume holds configuration or credentials. Others can be in use by one Pod only, or
 * are not allowed by the restricted standard.
 */
function isConfiguration({ configMap, secret, projected, csi }: Volume): boolean {
  return (configMap ?? secret ?? projected ?? csi) !== undefined;
}

/** Variables that Spark sets for the driver process. */
const OF_DRIVER = ['SPARK_DRIVER_BIND_ADDRESS', 'SPARK_APPLICATION_ID'];

/** Excludes references to the driver's resources and to files of its other volumes. */
function isForSubmitter({ name, valueFrom }: EnvVar): boolean {
  return !OF_DRIVER.includes(name) && (!valueFrom || Boolean(valueFrom.configMapKeyRef ?? valueFrom.secretKeyRef ?? valueFrom.fieldRef));
}

/**
 * Returns the user and groups. The user is always set: the kubelet rejects an image whose `USER` is
 * a name or root.
 */
function securityContext({ securityContext: pod = {} }: PodSpec, { securityContext: container = {} }: DriverContainer): PodSecurityContext {
  const runAsGroup = container.runAsGroup ?? pod.runAsGroup;
  const { fsGroup, fsGroupChangePolicy, supplementalGroups } = pod;
  return {
    runAsNonRoot: true,
    runAsUser: (container.runAsUser ?? pod.runAsUser) || SPARK_USER_ID,
    seccompProfile: { type: 'RuntimeDefault' },
    ...(runAsGroup !== undefined && { runAsGroup }),
    ...(fsGroup !== undefined && { fsGroup }),
    ...(fsGroupChangePolicy !== undefined && { fsGroupChangePolicy }),
    ...(supplementalGroups && { supplementalGroups }),
  };
}
