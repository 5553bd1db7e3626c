import type { SparkApplicationSpec } from '../../api/spark-application';
import type { DriverSpec, ExecutorSpec } from '../../api/spark-pod';
import { withoutEffect, type Problem } from '../../model/problem';
import { metadataViolations } from '../../rules/metadata';
import { found, isDnsLabel, isSubdomain, wrongImage, wrongLabelName, wrongMountPath, wrongName } from '../../rules/names';
import { isSecret } from '../../rules/secret-properties';
import { ingressUrl } from '../properties/ingress-url';
import { labelViolations } from './metadata';

/**
 * Returns the problems of names, paths and URLs that only the cluster, or Spark in the pod, would
 * find. A pod waits for such a ConfigMap for ever, and no node accepts executors with such labels.
 * It expects valid types.
 */
export function fieldViolations(spec: SparkApplicationSpec): Problem[] {
  const { sparkUIOptions, driverIngressOptions = [], nodeSelector, driver: { kubernetesMaster }, restartPolicy } = spec;
  return [
    ...found([
      wrongImage('spec.image', spec.image || undefined),
      ...(spec.imagePullSecrets ?? []).map((name, index) => wrongName(`spec.imagePullSecrets[${index}]`, name)),
      wrongName('spec.sparkConfigMap', spec.sparkConfigMap || undefined),
      wrongName('spec.hadoopConfigMap', spec.hadoopConfigMap || undefined),
      wrongLabelName('spec.sparkUIOptions.servicePortName', sparkUIOptions?.servicePortName),
      ...driverIngressOptions.map(
        ({ servicePortName }, index) => wrongLabelName(`spec.driverIngressOptions[${index}].servicePortName`, servicePortName),
      ),
      ...driverIngressOptions.map(
        ({ ingressURLFormat }, index) => wrongFormat(`spec.driverIngressOptions[${index}].ingressURLFormat`, ingressURLFormat),
      ),
      wrongMaster('spec.driver.kubernetesMaster', kubernetesMaster),
      wrongBackoff(restartPolicy),
    ]),
    ...confViolations(spec),
    ...selectorViolations('spec.nodeSelector', nodeSelector),
    ...labelViolations('spec.sparkUIOptions', sparkUIOptions ?? {}),
    ...driverIngressOptions.flatMap((options, index) => labelViolations(`spec.driverIngressOptions[${index}]`, options)),
    ...volumeViolations(spec),
    ...(['driver', 'executor'] as const).flatMap((role) => podViolations(spec[role], `spec.${role}`)),
  ];
}

/** Prefix of Hadoop's properties among those of Spark. */
const HADOOP = 'spark.hadoop.';

/** Returns secrets that the object contains, and properties of Hadoop with a doubled prefix. */
function confViolations({ sparkConf = {}, hadoopConf = {} }: SparkApplicationSpec): Problem[] {
  const secret = (path: string, reference = '${env.NAME}'): Problem => ({
    path, reason: 'is a secret, which all who can read the application can read', severity: 'ineffective',
    remedy: `put it into a Secret, set a variable from it with env and valueFrom, and write ${reference} here`,
  });
  return [
    ...Object.entries(sparkConf).filter(([key, value]) => (key.startsWith(HADOOP) || OF_SPARK.test(key)) && isSecret(key, value))
      .map(([key]) => secret(`spec.sparkConf[${key}]`, key.startsWith(HADOOP) ? undefined : '${env:NAME}')),
    ...Object.entries(hadoopConf).flatMap(([key, value]): Problem[] => [
      ...(isSecret(key, value) ? [secret(`spec.hadoopConf[${key}]`)] : []),
      ...(key.startsWith(HADOOP)
        ? [{ ...withoutEffect(`spec.hadoopConf[${key}]`, ': the prefix spark.hadoop. is added'), remedy: `write ${key.slice(HADOOP.length)}` }]
        : []),
    ]),
  ];
}

/** Properties of Spark with a secret; other libraries have settings of other meanings. */
const OF_SPARK = /^spark\.(ssl|authenticate|ui|io|network)\./;

function podViolations(pod: DriverSpec | ExecutorSpec, path: string): Problem[] {
  const { secrets = [], configMaps = [], volumeMounts = [] } = pod;
  return [
    ...found([
      wrongImage(`${path}.image`, pod.image || undefined),
      wrongName(`${path}.serviceAccount`, pod.serviceAccount || undefined),
      wrongName(`${path}.priorityClassName`, pod.priorityClassName || undefined),
      ...secrets.map((secret, index) => wrongMountPath(`${path}.secrets[${index}].path`, secret.path)),
      ...configMaps.map((configMap, index) => wrongName(`${path}.configMaps[${index}].name`, configMap.name)),
      ...configMaps.map((configMap, index) => wrongMountPath(`${path}.configMaps[${index}].path`, configMap.path)),
      ...volumeMounts.map(({ name, mountPath }, index) => (
        wrongMountPath(`${path}.volumeMounts[${index}].mountPath`, mountPath, name.startsWith(LOCAL_DIR))
      )),
    ]),
    ...selectorViolations(`${path}.nodeSelector`, pod.nodeSelector),
  ];
}

/** Prefix of the volumes that are Spark's local directories. */
const LOCAL_DIR = 'spark-local-dir-';

/** Keys and values of a node selector are those of labels. */
function selectorViolations(path: string, labels: { readonly [key: string]: string } | undefined): Problem[] {
  return metadataViolations('name', { labels }).map((problem) => ({ ...problem, path: problem.path.replace('metadata.labels', path) }));
}

function volumeViolations({ volumes = [] }: SparkApplicationSpec): Problem[] {
  const names = new Set<string>();
  return volumes.flatMap(({ name }, index) => {
    if (!isDnsLabel(name)) {
      return [{
        path: `spec.volumes[${index}].name`, value: name, reason: 'is not the name of a volume',
        remedy: "write at most 63 lower-case letters, digits and '-'",
      }];
    }
    if (!names.has(name)) {
      names.add(name);
      return [];
    }
    return [{ path: `spec.volumes[${index}].name`, value: name, reason: 'is the name of another volume: choose another name' }];
  });
}

/** The API server rejects an Ingress with such a host. */
function wrongFormat(path: string, format: string | undefined): Problem | undefined {
  if (!format) return undefined;
  const { host } = ingressUrl(format, { appName: 'a', appNamespace: 'a', appId: 'a' });
  if (host === '' || isSubdomain(host.replace(/^\*\./, ''))) return undefined;
  return {
    path, value: format, reason: `makes the host ${host}, which is not a DNS name`,
    remedy: 'write a format such as {{$appName}}.example.org',
  };
}

function wrongMaster(path: string, url: string | undefined): Problem | undefined {
  if (!url || /^(local(\[\S+\])?|(k8s:\/\/)?https?:\/\/[^\s/]+(\/\S*)?)$/.test(url)) return undefined;
  return {
    path, value: url, reason: 'is neither the URL of an API server nor local[N]',
    remedy: 'write one such as https://example.org:6443, local[*] to run all tasks in the driver, or remove it',
  };
}

function wrongBackoff(policy: SparkApplicationSpec['restartPolicy']): Problem | undefined {
  const { onFailureRetryInterval: interval, backoff } = policy ?? {};
  if (interval === undefined || backoff?.maxInterval === undefined || backoff.maxInterval >= interval) return undefined;
  return {
    path: 'spec.restartPolicy.backoff.maxInterval', value: backoff.maxInterval, severity: 'ineffective',
    reason: `is less than onFailureRetryInterval, ${interval}`, remedy: 'raise it, or lower the interval',
  };
}
