import type { Container, ContainerPort, PodSpec } from '../../k8s';
import { type Metadata, metadataViolations } from '../../rules/metadata';
import { SubmissionError } from '../errors';
import { MAX_PROBLEMS, STOP_AT_FIRST } from '../problems';
import { checkResources } from './check-resources';
import { configMapVolumeName } from './config-map-volume';
import { containersOf, fieldOfContainer, initContainersOf, sparkContainer } from './container';
import { fieldOf, type PodCustomization, type PodTemplate } from './pod-template';
import { type RejectedValue, rejectedValues } from './rejected-values';
import { same } from './same';
import { addedBySpark, type SparkAdditions, sparkMounts } from './spark-additions';
import { isPortName } from '../../rules/names';

/**
 * Checks a pod, or a template, for errors that would make the API server reject the pod or the pods
 * that Spark creates from the template. The API server's rejections of executors would not reach
 * the user.
 *
 * @throws SubmissionError that names the invalid field
 */
export function checkPod({ spec }: PodTemplate, request: PodCustomization): void {
  const { steps = STOP_AT_FIRST, properties } = request;
  const check = (step: () => void) => steps.attempt(step, properties);
  check(() => checkNamespace(request));
  check(() => checkLabels(request));
  check(() => checkMountsOfSpark(request));
  if (!spec) {
    return;
  }
  const all = [...initContainersOf(spec), ...containersOf(spec)];
  const sparks = sparkContainer(spec, request);
  const bySpark = addedBySpark(request);
  check(() => checkVolumes(spec, bySpark, request));
  check(() => checkNames(all, request));
  const volumes = new Set([...(spec.volumes ?? []).map(({ name }) => name), ...bySpark.volumes]);
  for (const container of all) {
    const isSparks = container === sparks;
    check(() => checkMounts(container, { isSparks, volumes, paths: isSparks ? bySpark.mountPaths : new Map<string, string>() }, request));
    check(() => checkPortNames(container, spec, request));
    check(() => checkResources(container, isSparks, request));
  }
  checkValues(spec, request, check);
  if (spec.hostNetwork) {
    check(() => checkHostPorts(spec, request));
  }
}

/** Rejects the values that the API server would reject, each with the user's field. */
function checkValues(spec: PodSpec, request: PodCustomization, check: (step: () => void) => void): void {
  const rejected = rejectedValues(spec).slice(0, MAX_PROBLEMS);
  const paths = rejected.length > 0 ? pathsOf(request.spec) : undefined;
  for (const each of rejected) {
    const { part, path, value, reason, remedy, field, container } = each;
    check(() => {
      const known = [part, ...originalsOf(each, spec, request)].flatMap((object) => paths?.get(object) ?? []).at(0);
      const parent = container ? fieldOfContainer(container, request) : 'the pod';
      const place = known ? fieldOf(request, known) : part === container ? parent : `${parent}.${field}`;
      throw new SubmissionError({ field: `${place}${path}`, value, reason, remedy });
    });
  }
}

/**
 * Returns the user's parts of which a part can be a copy: Spark copies the template, and completes
 * a security context.
 */
function originalsOf({ part, field, index, container }: RejectedValue, spec: PodSpec, request: PodCustomization): object[] {
  const template = request.spec.template?.spec;
  const parent = container
    ? [...initContainersOf(template), ...containersOf(template)].find(({ name }) => name === container.name)
    : template;
  const inTemplate = (parent as { readonly [field: string]: unknown } | null | undefined)?.[field];
  const original = Array.isArray(inTemplate) ? inTemplate[index] : inTemplate;
  return [
    ...(field === 'securityContext' && container && container === sparkContainer(spec, request) ? [request.spec.securityContext] : []),
    ...(same(original, part) ? [original] : []),
  ].filter((object) => object !== undefined && object !== null);
}

/** Returns the paths of all objects in an object. */
function pathsOf(parent: object, path = '', paths = new Map<object, string>()): ReadonlyMap<object, string> {
  for (const [name, value] of Object.entries(parent)) {
    if (typeof value !== 'object' || value === null) continue;
    const place = Array.isArray(parent) ? `${path}[${name}]` : `${path}${path && '.'}${name}`;
    paths.set(value, place);
    pathsOf(value, place, paths);
  }
  return paths;
}

/** Spark rejects executors in other namespaces than the application's. */
function checkNamespace(request: PodCustomization): void {
  const written = (request.spec.template?.metadata as { namespace?: string } | null | undefined)?.namespace;
  const namespace = request.properties.get('spark.kubernetes.namespace');
  if (written && namespace !== undefined && written !== namespace) {
    throw new SubmissionError({
      field: fieldOf(request, 'template.metadata.namespace'), value: written,
      reason: `is not the namespace of the application, ${namespace}`, remedy: 'remove it',
    });
  }
}

/**
 * Checks labels and annotations of the template. The check of the properties covers those in
 * properties.
 */
function checkLabels(request: PodCustomization): void {
  const { labels, annotations } = (request.spec.template?.metadata ?? {}) as Metadata;
  const [violation] = metadataViolations('name', { labels: withoutNull(labels), annotations: withoutNull(annotations) });
  if (violation) {
    throw new SubmissionError({
      field: fieldOf(request, `template.${violation.path}`), reason: violation.reason, remedy: 'change or remove it',
    });
  }
}

function withoutNull(map: Metadata['labels'] | null): Metadata['labels'] {
  return Object.fromEntries(Object.entries(map ?? {}).filter(([, value]) => value !== null));
}

/** Checks the mounts of properties against each other: Spark adds all of them to the pod. */
function checkMountsOfSpark(request: PodCustomization): void {
  const names = new Set<string>();
  const paths = new Map<string, string>();
  for (const { volume, path, what, field = 'spec.sparkConf' } of sparkMounts(request)) {
    const other = paths.get(path);
    if (other !== undefined) {
      throw new SubmissionError({
        field, reason: `is mounted at ${path}, where Spark also mounts ${other}`, remedy: 'choose another path',
      });
    }
    if (names.has(volume)) {
      throw new SubmissionError({ field, reason: `creates a second volume with the name ${volume}`, remedy: 'choose another name' });
    }
    names.add(volume);
    paths.set(path, what);
  }
}

function checkVolumes(spec: PodSpec, bySpark: SparkAdditions, request: PodCustomization): void {
  const names = new Set(bySpark.volumes);
  for (const { name } of spec.volumes ?? []) {
    if (names.has(name)) {
      throw new SubmissionError({
        field: fieldOfVolume(name, request), value: name, reason: 'is the name of another volume of the pod', remedy: 'choose another name',
      });
    }
    names.add(name);
  }
}

function checkNames(containers: readonly Container[], request: PodCustomization): void {
  const names = new Set<string>();
  for (const container of containers) {
    if (names.has(container.name)) {
      throw new SubmissionError({
        field: fieldOfContainer(container, request), value: container.name, reason: 'has the name of another container of the pod',
        remedy: 'choose another name',
      });
    }
    names.add(container.name);
  }
}

/** Volumes and mounts to check a container's mounts against. */
interface MountableVolumes {
  readonly isSparks: boolean;
  /** Names of the pod's volumes. */
  readonly volumes: ReadonlySet<string>;
  /** Paths of Spark's mounts in the container. */
  readonly paths: ReadonlyMap<string, string>;
}

function checkMounts(container: Container, { isSparks, volumes, paths: bySpark }: MountableVolumes, request: PodCustomization): void {
  const paths = new Map(bySpark);
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const field = () => (isSparks
      ? fieldOfMount(name, mountPath, container, request)
      : `${fieldOfContainer(container, request)}.volumeMounts`);
    if (!volumes.has(name)) {
      throw new SubmissionError({
        field: field(), value: name, reason: 'names no volume', remedy: `add the volume ${name} to spec.volumes`,
      });
    }
    const other = paths.get(mountPath);
    if (other !== undefined) {
      throw new SubmissionError({
        field: field(), value: mountPath, reason: `is where ${bySpark.has(mountPath) ? 'Spark mounts ' : ''}${other}`,
        remedy: 'choose another path',
      });
    }
    paths.set(mountPath, `the volume ${name} is mounted`);
  }
}

function checkPortNames(container: Container, spec: PodSpec, request: PodCustomization): void {
  const names = new Set<string>();
  for (const port of container.ports ?? []) {
    const { name } = port;
    if (name && !isPortName(name)) {
      throw new SubmissionError({
        field: fieldOfPort(port, container, spec, request),
        value: name,
        reason: 'is not a valid port name',
        remedy: "write at most 15 lower-case letters and digits, at least one letter, and only single '-' between them",
      });
    }
    if (name && names.has(name)) {
      throw new SubmissionError({
        field: `${fieldOfContainer(container, request)}.ports`, value: name, reason: 'is the name of two ports of the container',
        remedy: 'rename one of them',
      });
    }
    names.add(name ?? '');
  }
}

/** Checks that host ports are unique: in the node's network, every port is one of the node. */
function checkHostPorts(spec: PodSpec, request: PodCustomization): void {
  const used = new Map<string, string>();
  for (const container of containersOf(spec)) {
    for (const port of container.ports ?? []) {
      const number = `${port.containerPort}/${port.protocol || 'TCP'}${port.hostIP ? ` of ${port.hostIP}` : ''}`;
      const other = used.get(number);
      if (other !== undefined) {
        throw new SubmissionError({
          field: fieldOfPort(port, container, spec, request),
          value: number,
          reason: `is also the number of the port ${other}; with hostNetwork, each number can occur once`,
          remedy: 'remove it or choose another number',
        });
      }
      used.set(number, port.name || 'without a name');
    }
  }
}

function fieldOfVolume(name: string, request: PodCustomization): string {
  const inTemplate = (request.spec.template?.spec?.volumes ?? []).map(volume => volume.name).lastIndexOf(name);
  const index = request.application.volumes?.findIndex(volume => volume.name === name) ?? -1;
  return index >= 0
    ? `spec.volumes[${index}]`
    : fieldOf(request, inTemplate >= 0 ? `template.spec.volumes[${inTemplate}]` : 'template.spec.volumes');
}

/** Returns the field that mounts a volume into Spark's container. */
function fieldOfMount(volume: string, mountPath: string, container: Container, request: PodCustomization): string {
  const { volumeMounts, configMaps } = request.spec;
  const mount = volumeMounts?.findIndex(({ name, mountPath: path }) => name === volume && path === mountPath) ?? -1;
  const configMap = configMaps?.findIndex(({ name, path }) => configMapVolumeName(name) === volume && path === mountPath) ?? -1;
  if (mount >= 0 || configMap >= 0) {
    return fieldOf(request, mount >= 0 ? `volumeMounts[${mount}]` : `configMaps[${configMap}]`);
  }
  return sparkMounts(request).find(bySpark => bySpark.volume === volume && bySpark.path === mountPath)?.field
    ?? `${fieldOfContainer(container, request)}.volumeMounts`;
}

function fieldOfPort(port: ContainerPort, container: Container, spec: PodSpec, request: PodCustomization): string {
  const isSparks = container === sparkContainer(spec, request);
  if (isSparks && port.name && port.name === request.metrics?.port?.name) {
    return 'spec.monitoring.prometheus.portName';
  }
  const index = isSparks ? request.spec.ports?.findIndex(({ name }) => name === port.name) ?? -1 : -1;
  return index >= 0 ? fieldOf(request, `ports[${index}]`) : `${fieldOfContainer(container, request)}.ports`;
}
