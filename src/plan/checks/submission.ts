import type { SparkApplicationSpec } from '../../api/spark-application';
import type { DriverSpec, ExecutorSpec } from '../../api/spark-pod';
import type { Container } from '../../k8s';
import { javaOptionViolations } from '../properties/java-options';
import { memoryLimitViolations } from './memory-limit';
import { metadataViolations, type Metadata } from '../../rules/metadata';
import { isConfigKey, isDnsLabel, isSubdomain, isVariable } from '../../rules/names';
import { parseQuantity } from '../../rules/quantity';
import { sparkPorts } from './spark-ports';
import { withoutNulls } from '../../rules/validate';
import type { Problem } from '../../model/problem';

/**
 * Returns the faults that the API server accepts, but for which the operator rejects the
 * submission, or the API server rejects the pods. It checks only the specification: missing
 * settings have Spark's defaults, not those of a cluster. A test applies the same cases to the
 * operator. It also reports a Secret that would not be mounted where a property asks for it.
 *
 * It expects a specification with valid types.
 *
 * @param namespace the application's, if it is known
 * @internal
 */
export function submissionViolations(written: SparkApplicationSpec, namespace?: string): Problem[] {
  const spec = withoutNulls(written) as SparkApplicationSpec;
  return [
    ...(['driver', 'executor'] as const).flatMap((role) => podViolations(spec, role, namespace)),
    ...labelViolations('spec.driver', { serviceLabels: spec.driver.serviceLabels, serviceAnnotations: spec.driver.serviceAnnotations }),
    ...labelViolations('spec.sparkUIOptions', spec.sparkUIOptions ?? {}),
    ...(spec.driverIngressOptions ?? []).flatMap((options, index) => labelViolations(`spec.driverIngressOptions[${index}]`, options)),
    ...(spec.volumes ?? []).flatMap(({ name }, index) => (isDnsLabel(name) ? [] : [{
      path: `spec.volumes[${index}].name`, value: name, reason: LABEL_REASON,
    }])),
    ...memoryLimitViolations(spec),
    ...propertyViolations(spec),
    ...javaOptionViolations(spec),
  ];
}

type Role = 'driver' | 'executor';

const CONTAINERS: { readonly [role in Role]: string } = { driver: 'spark-kubernetes-driver', executor: 'spark-kubernetes-executor' };

function podViolations(spec: SparkApplicationSpec, role: Role, namespace: string | undefined): Problem[] {
  const pod = spec[role];
  const path = `spec.${role}`;
  return [
    ...labelViolations(path, { labels: withIds(pod.labels), annotations: pod.annotations }),
    ...templateViolations(pod, path, namespace),
    ...variableViolations(pod, path),
    ...cpuViolations(spec, role),
    ...mountViolations(spec, role),
    ...containerViolations(pod, path, CONTAINERS[role]),
    ...portViolations(spec, role),
  ];
}

/** Later versions of Spark replace these placeholders with ids. */
function withIds(labels: DriverSpec['labels']): DriverSpec['labels'] {
  if (!labels) return labels;
  const replaced = (value: string) => value.replaceAll('{{APP_ID}}', 'a').replaceAll('{{EXECUTOR_ID}}', '1');
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, replaced(value)]));
}

type Maps = { readonly [field in 'labels' | 'annotations' | 'serviceLabels' | 'serviceAnnotations']?: Metadata['labels'] };

/** Checks Kubernetes' rules for labels and annotations. @internal */
export function labelViolations(path: string, { labels, annotations, serviceLabels, serviceAnnotations }: Maps): Problem[] {
  const violationsOf = (metadata: Metadata) => metadataViolations('name', metadata);
  return [
    ...violationsOf({ labels, annotations }).map((found) => ({ ...found, path: found.path.replace(/^metadata/, path) })),
    ...violationsOf({ labels: serviceLabels, annotations: serviceAnnotations }).map((found) => (
      {
        ...found,
        path: found.path.replace(/^metadata\.(labels|annotations)/, (_, map) => (
          `${path}.service${map === 'labels' ? 'Labels' : 'Annotations'}`
        )),
      }
    )),
  ];
}

/**
 * Returns the faults of a template's metadata. Driver and executors run in the application's
 * namespace.
 * @internal
 */
export function templateViolations({ template }: Pick<DriverSpec, 'template'>, path: string, namespace: string | undefined): Problem[] {
  const metadata = (template?.metadata ?? {}) as Metadata;
  const found = labelViolations(`${path}.template.metadata`, metadata);
  if (!metadata.namespace || namespace === undefined || metadata.namespace === namespace) return found;
  return [...found, {
    path: `${path}.template.metadata.namespace`, value: metadata.namespace,
    reason: `is not the namespace of the application, ${namespace}: remove it`,
  }];
}

function variableViolations({ env, envVars, envSecretKeyRefs }: DriverSpec | ExecutorSpec, path: string): Problem[] {
  const reason = "is not the name of an environment variable: write letters, digits and '_'";
  const named = (names: readonly string[], pathOf: (name: string, index: number) => string) => names.flatMap((name, index) => (
    isVariable(name) ? [] : [{ path: pathOf(name, index), value: undefined, reason }]
  ));
  return [
    ...(env ?? []).flatMap(({ valueFrom }, index) => (['secretKeyRef', 'configMapKeyRef'] as const).flatMap((kind) => {
      const reference = valueFrom?.[kind];
      if (!reference) return [];
      return referenceViolations(reference, `${path}.env[${index}].valueFrom.${kind}`, kind === 'secretKeyRef' ? 'Secret' : 'ConfigMap');
    })),
    ...named((env ?? []).map(({ name }) => name), (_, index) => `${path}.env[${index}].name`),
    ...named(Object.keys(envVars ?? {}), (name) => `${path}.envVars[${name}]`),
    ...named(Object.keys(envSecretKeyRefs ?? {}), (name) => `${path}.envSecretKeyRefs[${name}]`),
    ...Object.entries(envSecretKeyRefs ?? {}).flatMap(([name, reference]) => (
      referenceViolations(reference, `${path}.envSecretKeyRefs[${name}]`, 'Secret')
    )),
  ];
}

/** Checks a reference to an entry of a Secret or ConfigMap. */
function referenceViolations({ name, key }: { name?: string; key: string }, path: string, kind: 'Secret' | 'ConfigMap'): Problem[] {
  return [
    ...(isSubdomain(name ?? '') ? [] : [{
      path: `${path}.name`, value: name, reason: `is not the name of a ${kind}: write lower-case letters, digits, '-' and '.'`,
    }]),
    ...(isConfigKey(key) ? [] : [{
      path: `${path}.key`, value: key, reason: `is not the key of a ${kind}: write letters, digits, '-', '_' and '.'`,
    }]),
  ];
}

/**
 * Without its own request a pod requests the cores of Spark (BasicDriverFeatureStep,
 * BasicExecutorFeatureStep).
 */
function cpuViolations({ sparkConf = {}, ...spec }: SparkApplicationSpec, role: Role): Problem[] {
  const { cores, coreRequest, coreLimit } = spec[role];
  const path = `spec.${role}`;
  const ofConf = sparkConf[`spark.kubernetes.${role}.request.cores`];
  const requested = coreRequest || ofConf || String(cores ?? sparkConf[`spark.${role}.cores`] ?? 1);
  const [asked, most] = [amount(requested), amount(coreLimit)];
  const negative = (['coreRequest', 'coreLimit'] as const).filter((field) => (amount(spec[role][field]) ?? 0n) < 0n);
  if (negative.length > 0) {
    return negative.map((field) => ({
      path: `${path}.${field}`, value: spec[role][field], reason: 'must not be less than 0',
    }));
  }
  if (asked === undefined || most === undefined || asked <= most) return [];
  const request = coreRequest || !ofConf ? `${path}.coreRequest` : `it in sparkConf (spark.kubernetes.${role}.request.cores)`;
  const remedy = `raise it, or ${coreRequest || ofConf ? 'lower' : 'write a lower'} ${request}`;
  return [{ path: `${path}.coreLimit`, value: coreLimit, reason: `is less than what the pod requests, ${requested}: ${remedy}` }];
}

function amount(quantity: string | undefined): bigint | undefined {
  return quantity ? parseQuantity(quantity) : undefined;
}

const LABEL_REASON = "is not the name of a volume: write at most 63 lower-case letters, digits and '-'";

/** Volumes that Spark, Kubernetes or the operator create. */
const GENERATED_VOLUMES = /^(spark|hadoop|pod-template|kube-api-access|kerberos|krb5|delegation)-|-vol(ume)?$/;

function mountViolations({ volumes, ...spec }: SparkApplicationSpec, role: Role): Problem[] {
  const pod = spec[role];
  const ofConf = volumesOfConf(spec.sparkConf, role);
  const known = new Set([...(volumes ?? []), ...(pod.template?.spec?.volumes ?? []), ...ofConf].map(({ name }) => name));
  const found: Problem[] = [];
  // Mounts by path, with the volume of each: the same mount can occur twice.
  const paths = new Map<string, string>();
  const mount = (path: string, mountPath: string, what: string) => {
    const other = paths.get(mountPath);
    if (other !== undefined && other !== what) {
      found.push({ path, value: mountPath, reason: `is where ${other} is mounted: choose another path` });
    }
    paths.set(mountPath, what);
  };
  const secrets = new Map<string, string>();
  (pod.secrets ?? []).forEach(({ name, path }, index) => {
    const field = `spec.${role}.secrets[${index}]`;
    mount(`${field}.path`, path, `the Secret ${name}`);
    if (secrets.has(name)) {
      found.push({
        path: `${field}.name`, value: name, reason: 'is mounted already, and Spark mounts a Secret once: remove one of the two',
      });
    }
    found.push(...secretVolumeViolations(`${field}.name`, name, name));
    secrets.set(name, path);
  });
  for (const { key, name, path } of secretsOfConf(spec.sparkConf, role)) {
    const field = `spec.sparkConf[${key}]`;
    const counts = secrets.get(name);
    if (counts === undefined) {
      mount(field, path, `the Secret ${name}`);
      found.push(...secretVolumeViolations(field, undefined, name));
    } else if (counts !== path) {
      const reason = `has no effect: spec.${role}.secrets mounts the Secret ${name} at ${counts}, and Spark mounts a Secret once; `
        + 'mount it there by volumes and volumeMounts in place of secrets';
      found.push({ path: field, value: path, reason, severity: 'ineffective' });
    }
  }
  (pod.volumeMounts ?? []).forEach(({ name, mountPath, subPath }, index) => {
    const field = `spec.${role}.volumeMounts[${index}]`;
    mount(`${field}.mountPath`, mountPath, `the volume ${name}${subPath ? ` (${subPath})` : ''}`);
    const isMissing = name.startsWith('spark-local-dir-')
      ? !(volumes ?? []).some((volume) => volume.name === name)
      : !known.has(name) && !GENERATED_VOLUMES.test(name);
    // Without a template a rule of the CRD checks this.
    if (pod.template && isMissing) {
      found.push({
        path: `${field}.name`, value: name, reason: `names no volume: add a volume ${name} to spec.volumes`,
      });
    }
  });
  for (const { key, name, path } of ofConf) mount(`spec.sparkConf[${key}]`, path, `the volume ${name}`);
  (pod.configMaps ?? []).forEach(({ name, path }, index) => mount(`spec.${role}.configMaps[${index}].path`, path, `the ConfigMap ${name}`));
  for (const list of ['sidecars', 'initContainers'] as const) {
    (pod[list] ?? []).forEach(({ volumeMounts }, index) => (volumeMounts ?? []).forEach(({ name }, place) => {
      if (known.has(name) || GENERATED_VOLUMES.test(name)) return;
      found.push({
        path: `spec.${role}.${list}[${index}].volumeMounts[${place}].name`, value: name,
        reason: `names no volume: add a volume ${name} to spec.volumes`,
      });
    }));
  }
  return found;
}

/**
 * Spark names the volume of a Secret by the Secret's name with the suffix `-volume`
 * (MountSecretsFeatureStep).
 */
function secretVolumeViolations(path: string, value: string | undefined, name: string): Problem[] {
  if (isDnsLabel(`${name}-volume`)) return [];
  const reason = `names a Secret whose volume Spark calls ${name}-volume, and names of volumes have at most 63 characters and no dots: `
    + 'mount it by volumes and volumeMounts';
  return [{ path, value, reason }];
}

/** Returns the Secrets that Spark mounts because of properties. */
function secretsOfConf(sparkConf: SparkApplicationSpec['sparkConf'], role: Role): Mounted[] {
  return mountedByConf(sparkConf, new RegExp(`^spark[.]kubernetes[.]${role}[.]secrets[.](.+)$`));
}

/** Returns the volumes that Spark creates and mounts because of properties. */
function volumesOfConf(sparkConf: SparkApplicationSpec['sparkConf'], role: Role): Mounted[] {
  return mountedByConf(sparkConf, new RegExp(`^spark[.]kubernetes[.]${role}[.]volumes[.][^.]+[.]([^.]+)[.]mount[.]path$`));
}

interface Mounted { readonly key: string; readonly name: string; readonly path: string }

function mountedByConf(sparkConf: SparkApplicationSpec['sparkConf'], pattern: RegExp): Mounted[] {
  return Object.entries(sparkConf ?? {}).flatMap(([key, path]) => {
    const name = pattern.exec(key)?.[1];
    return name === undefined ? [] : [{ key, name, path }];
  });
}

function containerViolations({ template, sidecars, initContainers }: DriverSpec | ExecutorSpec, path: string, sparks: string): Problem[] {
  const names = new Set<string>();
  const violationsOf = (container: Container, field: string): Problem[] => {
    const taken = container.name === sparks && !template ? "is the name of Spark's container: choose another name"
      : names.has(container.name) ? 'is the name of another container of the pod: choose another name' : undefined;
    names.add(container.name);
    return [...(taken === undefined ? [] : [{
      path: `${field}.name`, value: container.name, reason: taken,
    }]), ...resourceViolations(container, field)];
  };
  return [
    ...(initContainers ?? []).flatMap((container, index) => violationsOf(container, `${path}.initContainers[${index}]`)),
    ...(sidecars ?? []).flatMap((container, index) => violationsOf(container, `${path}.sidecars[${index}]`)),
  ];
}

function resourceViolations({ resources }: Container, path: string): Problem[] {
  const { requests = {}, limits = {} } = resources ?? {};
  return Object.entries(limits).flatMap(([resource, limit]) => {
    const [asked, most] = [amount(requests[resource]), amount(limit)];
    if (asked === undefined || most === undefined || asked <= most) return [];
    return [{
      path: `${path}.resources.limits[${resource}]`, value: limit,
      reason: `is less than what the container requests, ${requests[resource]}: raise it, or request less`,
    }];
  });
}

function portViolations({ monitoring, sparkConf, ...spec }: SparkApplicationSpec, role: Role): Problem[] {
  const names = new Map([...sparkPorts(role, sparkConf)].map(([name, port]) => [name, `${port}/TCP`]));
  const { prometheus } = monitoring ?? {};
  const isServed = prometheus && (role === 'driver' ? monitoring!.exposeDriverMetrics : monitoring!.exposeExecutorMetrics);
  const [metricsName, metricsNumber] = [prometheus?.portName || 'jmx-exporter', `${prometheus?.port ?? 8090}/TCP`];
  return (spec[role].ports ?? []).flatMap(({ name, containerPort, protocol }, index): Problem[] => {
    const path = `spec.${role}.ports[${index}]`;
    const number = `${containerPort}/${protocol || 'TCP'}`;
    const other = name ? names.get(name) : undefined;
    if (name) names.set(name, number);
    if (other !== undefined && other !== number) {
      return [{
        path: `${path}.name`, value: name, reason: `is the name of port ${other} of the same container: choose another name`,
      }];
    }
    if (isServed && number === metricsNumber && name !== metricsName) {
      return [{
        path: `${path}.containerPort`, value: containerPort, reason: 'is the port of the JMX exporter (monitoring): choose another number',
      }];
    }
    return [];
  });
}

const BESIDE_A_PROXY_USER = 'spark.kerberos.principal';

/**
 * Reports a property with which no driver starts, including that of a server for Spark Connect.
 * @internal
 */
export function remoteViolations({ sparkConf = {} }: Pick<SparkApplicationSpec, 'sparkConf'>): Problem[] {
  return refused(sparkConf, 'spark.remote', 'is where a server for Spark Connect is, which has no driver of its own: remove it');
}

/** Reports properties with which an application's driver does not start. */
function propertyViolations({ sparkConf = {}, proxyUser }: Pick<SparkApplicationSpec, 'sparkConf' | 'proxyUser'>): Problem[] {
  return [
    ...remoteViolations({ sparkConf }),
    ...refused(sparkConf, 'spark.driver.bindAddress', "is not allowed on Kubernetes, the driver binds to its pod's address: remove it"),
    ...(proxyUser && Object.hasOwn(sparkConf, BESIDE_A_PROXY_USER) ? [{
      path: 'spec.proxyUser', value: proxyUser, reason: `is not allowed beside ${BESIDE_A_PROXY_USER}: remove one of the two`,
    }] : []),
  ];
}

function refused(sparkConf: { readonly [key: string]: string }, key: string, reason: string): Problem[] {
  return Object.hasOwn(sparkConf, key) ? [{ path: `spec.sparkConf[${key}]`, value: sparkConf[key], reason }] : [];
}
