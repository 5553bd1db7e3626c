import { basicDriver } from './basic-driver';
import { driverCommand } from './driver-command';
import { driverConf } from './driver-conf';
import type { DriverConfInput } from './driver-conf';
import { driverKubernetesCredentials } from './driver-kubernetes-credentials';
import { driverService } from './driver-service';
import type { FeatureStep, SparkPod, SubmissionResource } from './feature-step';
import { kubernetesConfMap, mountConfMap } from './kubernetes-conf-map';
import { localDirs } from './local-dirs';
import { submitProperties } from './submit-properties';
import { refuseUnsupported } from './unsupported';
import type { Pod } from '../../kubernetes-objects';

/** The steps in Spark's order (KubernetesDriverBuilder), which decides the order of environment variables and volumes. */
const STEPS: readonly FeatureStep[] = [
  basicDriver,
  driverKubernetesCredentials,
  driverService,
  driverCommand,
  localDirs,
];

/** What spark-submit sends to the API server. */
export interface BuiltSubmission {
  /** The driver's Pod. */
  readonly driver: Pod;
  /** What it needs, in Spark's order: first the driver's Service, last the ConfigMap with its properties. */
  readonly resources: readonly SubmissionResource[];
}

/**
 * Builds what spark-submit of the given version would create for the same properties, field by field (KubernetesDriverBuilder,
 * Client), without owners and, on Pod and Service, without namespace. Pure: the same input is the same output.
 *
 * @throws SubmissionError if a property is wrong, or not supported by native submission
 */
export function buildSubmission(input: DriverConfInput): BuiltSubmission {
  refuseUnsupported(input.properties);
  const given = driverConf(input);
  const properties = submitProperties(given);
  const conf = driverConf({ ...input, properties });

  let pod = emptyPod();
  const stepProperties = properties.copy();
  const resources: SubmissionResource[] = [];
  for (const step of STEPS) {
    const result = step(conf, pod);
    pod = result.pod ?? pod;
    resources.push(...result.resources ?? []);
    for (const [key, value] of Object.entries(result.properties ?? {})) {
      stepProperties.set(key, value, properties.fieldOf(key));
    }
  }

  const driver = mountConfMap(pod, conf.identity.configMapName);
  return {
    driver: { ...driver.pod, spec: { ...driver.pod.spec, containers: [...driver.pod.spec.containers, driver.container] } },
    resources: [...resources, kubernetesConfMap(conf, stepProperties.entries().filter(isSparkProperty))],
  };
}

/** Spark ignores what does not start with `spark.` (SparkSubmitArguments.ignoreNonSparkProperties). */
function isSparkProperty([key]: readonly [string, string]): boolean {
  return key.startsWith('spark.');
}

function emptyPod(): SparkPod {
  return {
    pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: '' }, spec: { containers: [] } },
    container: { name: '' },
  };
}
