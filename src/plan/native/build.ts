import { basicDriver } from './basic-driver';
import { driverCommand } from './driver-command';
import { driverConf } from './driver-conf';
import type { DriverConf, DriverConfInput } from './driver-conf';
import { driverKubernetesCredentials } from './driver-kubernetes-credentials';
import { driverService } from './driver-service';
import { initialPod } from './driver-template';
import { envSecrets } from './env-secrets';
import type { FeatureStep, SparkPod, SubmissionResource } from './feature-step';
import { hadoopConfDriver } from './hadoop-conf-driver';
import { kerberosConfDriver } from './kerberos-conf-driver';
import { kubernetesConfMap, mountConfMap } from './kubernetes-conf-map';
import { localDirs } from './local-dirs';
import { mountSecrets } from './mount-secrets';
import { mountVolumes } from './mount-volumes';
import { networkPolicy } from './network-policy';
import { podTemplateConfigMap } from './pod-template-config-map';
import { checkSubmitArguments } from './submit-arguments';
import { isResolved } from './reasons-against';
import { submitProperties } from './submit-properties';
import type { Pod } from '../../model/kubernetes-objects';
import { SparkProperties } from '../properties/spark-conf';
import type { SparkFeatures } from '../versions';

/**
 * A step with the name of its class in Spark, and the feature of the Spark versions that have it.
 */
interface NamedStep {
  readonly name: string;
  readonly step: FeatureStep;
  readonly feature?: keyof SparkFeatures;
}

/**
 * The steps in Spark's order (KubernetesDriverBuilder), which decides the order of environment
 * variables, volumes and objects.
 */
const STEPS: readonly NamedStep[] = [
  { name: 'BasicDriverFeatureStep', step: basicDriver },
  { name: 'DriverKubernetesCredentialsFeatureStep', step: driverKubernetesCredentials },
  { name: 'DriverServiceFeatureStep', step: driverService },
  { name: 'NetworkPolicyFeatureStep', step: networkPolicy, feature: 'networkPolicy' },
  { name: 'MountSecretsFeatureStep', step: mountSecrets },
  { name: 'EnvSecretsFeatureStep', step: envSecrets },
  { name: 'MountVolumesFeatureStep', step: mountVolumes },
  { name: 'DriverCommandFeatureStep', step: driverCommand },
  { name: 'HadoopConfDriverFeatureStep', step: hadoopConfDriver },
  { name: 'KerberosConfDriverFeatureStep', step: kerberosConfDriver },
  { name: 'PodTemplateConfigMapStep', step: podTemplateConfigMap },
  { name: 'LocalDirsFeatureStep', step: localDirs },
];

/** Property with the steps that Spark leaves out. */
export const EXCLUDED_STEPS = 'spark.kubernetes.driver.pod.excludedFeatureSteps';
const STEP_PACKAGE = 'org.apache.spark.deploy.k8s.features.';

/** Class of Spark's step that creates the NetworkPolicy of executors. */
export const NETWORK_POLICY_STEP = `${STEP_PACKAGE}NetworkPolicyFeatureStep`;

/** Objects that spark-submit creates. */
export interface BuiltSubmission {
  /** The driver's Pod. */
  readonly driver: Pod;
  /**
   * Objects that the driver needs, in Spark's order: its Service, a NetworkPolicy, claims, the
   * ConfigMap with the executors' template, and the ConfigMap with the driver's properties. Only
   * the last one always exists.
   */
  readonly resources: readonly SubmissionResource[];
}

/**
 * Builds the objects that spark-submit of the given version would create for the same properties,
 * field by field (KubernetesDriverBuilder, Client). They have no owners, and no namespace where
 * Spark sets none. Pure: the same input gives the same output. The template must fit its schema. If
 * there is a reason against native submission, only the errors are valid.
 *
 * @throws SubmissionError if a property is invalid
 */
export function buildSubmission(input: DriverConfInput): BuiltSubmission {
  const properties = submitProperties(driverConf(input));
  const conf = driverConf({ ...input, properties });
  checkSubmitArguments(conf);

  let pod = initialPod(conf);
  const stepProperties = properties.copy();
  const resources: SubmissionResource[] = [];
  for (const step of stepsOf(conf)) {
    const result = step(conf, pod);
    pod = result.pod ?? pod;
    resources.push(...result.resources ?? []);
    for (const [key, value] of Object.entries(result.properties ?? {})) {
      stepProperties.set(key, value, properties.fieldOf(key));
    }
  }
  return { driver: driverPod(conf, pod), resources: [...resources, kubernetesConfMap(conf, stepProperties.entries())] };
}

/** Steps that set the image, the placement, the account, variables and Secrets. */
const OF_ENVIRONMENT: readonly FeatureStep[] = [basicDriver, driverKubernetesCredentials, mountSecrets, envSecrets];

/**
 * Returns the driver's pod with its image, placement, account, variables and Secrets. It lacks
 * Spark's configuration; its resources are incomplete.
 *
 * @throws SubmissionError if a property is invalid
 */
export function driverEnvironment(input: DriverConfInput): SparkPod {
  const conf = driverConf({ ...input, properties: withoutUnresolved(submitProperties(driverConf(input))) });
  return OF_ENVIRONMENT.filter((step) => stepsOf(conf).includes(step)).reduce((pod, step) => step(conf, pod).pod ?? pod, initialPod(conf));
}

/** Properties of the environment. Only spark-submit can resolve references of others. */
const ENVIRONMENT = /container\.image|serviceAccountName/;

function withoutUnresolved(properties: SparkProperties): SparkProperties {
  const result = new SparkProperties();
  for (const [key, value] of properties.entries()) {
    if (!isResolved(key) || ENVIRONMENT.test(key) || typeof properties.resolved(key) === 'string') {
      result.set(key, value, properties.fieldOf(key));
    }
  }
  return result;
}

function stepsOf(conf: DriverConf): FeatureStep[] {
  const { version: { features } } = conf;
  const excluded = excludedSteps(conf);
  return STEPS
    .filter(({ name, feature }) => (feature === undefined || features[feature]) && !excluded.includes(STEP_PACKAGE + name))
    .map(({ step }) => step);
}

/** Returns the classes of the steps that the user excludes. */
export function excludedSteps({ conf, version: { features } }: Pick<DriverConf, 'conf' | 'version'>): string[] {
  return features.excludedFeatureSteps ? conf.list(EXCLUDED_STEPS) : [];
}

/** Returns the pod with the driver's container at the end, and with the driver's properties. */
function driverPod({ conf, identity }: DriverConf, built: SparkPod): Pod {
  const { pod, container } = mountConfMap(built, identity.configMapName);
  const { name } = container;
  if (pod.metadata.name === '' || name === undefined) {
    throw conf.wrong(
      EXCLUDED_STEPS, 'leaves the driver without a name',
      `remove ${STEP_PACKAGE}BasicDriverFeatureStep, or name pod and container in spec.driver.template`,
    );
  }
  return { ...pod, spec: { ...pod.spec, containers: [...pod.spec.containers, { ...container, name }] } };
}
