import { mebibytesOf, wrongSeconds, wrongSize } from './_check';
import { dynamicAllocationViolations } from './_dynamic-allocation-checks';
import { nameViolations } from './_name-checks';
import { SparkApplicationProps } from './spark-application-props';
import { SparkDriverProps, SparkExecutorProps } from './spark-pod-props';
import { SparkApplicationSpec, SparkApplicationType } from '../api/spark-application';
import { sparkPorts } from '../plan/checks/spark-ports';
import { LEAST_HEAP } from '../rules/memory';
import type { Problem } from '../model/problem';

/**
 * Returns the problems of props that have no equivalent in the manifest, and that later changes
 * cannot repair.
 * @internal
 */
export function wrongProps(props: SparkApplicationProps): Problem[] {
  const { type, mainClass, memoryOverheadFactor, timeToLive, activeDeadline } = props;
  return [
    isJvm(type) && !mainClass ? {
      path: 'mainClass', value: undefined, reason: `is missing; a ${type} application needs the name of its main class`,
    } : undefined,
    memoryOverheadFactor !== undefined && !(memoryOverheadFactor >= 0 && memoryOverheadFactor < 1000)
      ? { path: 'memoryOverheadFactor', value: memoryOverheadFactor, reason: 'must be a fraction of the heap, such as 0.2' } : undefined,
    wrongSeconds('activeDeadline', activeDeadline),
    wrongSeconds('timeToLive', timeToLive, 0),
    ...wrongPod('driver', props.driver ?? {}, props),
    ...wrongPod('executor', props.executor ?? {}, props),
    wrongSize('driver.memoryLimit', props.driver?.memoryLimit),
  ].flatMap((violation) => violation ?? []);
}

function isJvm(type: SparkApplicationType): boolean {
  return type === SparkApplicationType.JAVA || type === SparkApplicationType.SCALA;
}

function wrongPod(
  role: string, pod: SparkDriverProps | SparkExecutorProps, { sparkConf = {} }: SparkApplicationProps,
): (Problem | undefined)[] {
  const { memory, memoryOverhead, terminationGracePeriod } = pod;
  const isSmall = memory !== undefined && mebibytesOf(memory) < LEAST_HEAP && sparkConf['spark.testing.reservedMemory'] === undefined;
  const names = new Set<string>();
  const twice = [...Object.keys(pod.env ?? {}), ...Object.keys(pod.secretEnv ?? {}), ...(pod.extraEnv ?? []).map(({ name }) => name)]
    .filter((name) => names.has(name) || !names.add(name));
  return [
    wrongSize(`${role}.memory`, memory)
      ?? (isSmall ? {
        path: `${role}.memory`, value: memory.asString(), reason: 'must be at least 450 MiB (450m): Spark does not start with less',
      } : undefined),
    wrongSize(`${role}.memoryOverhead`, memoryOverhead, 0),
    wrongSeconds(`${role}.terminationGracePeriod`, terminationGracePeriod, 0),
    ...twice.map((name) => ({
      path: `${role}.env[${name}]`, value: undefined,
      reason: 'is set twice, in env, secretEnv or extraEnv: remove one of them',
    })),
  ];
}

/**
 * Returns the problems that make driver or executors fail at their start, and settings without
 * effect. The raw constructs allow them, because other operators might accept them.
 * @internal
 */
export function sparkViolations(spec: SparkApplicationSpec): Problem[] {
  return [
    ...nameViolations(spec),
    ...dynamicAllocationViolations(spec),
    ...exporterViolations(spec),
    ...volumeViolations(spec),
  ];
}

/** A JVM does not start if its agent's port is in use. */
function exporterViolations({ monitoring, sparkConf }: SparkApplicationSpec): Problem[] {
  const { prometheus, exposeDriverMetrics, exposeExecutorMetrics } = monitoring ?? {};
  if (!prometheus) return [];
  const taken = [
    ...(exposeDriverMetrics ? sparkPorts('driver', sparkConf) : []),
    ...(exposeExecutorMetrics ? sparkPorts('executor', sparkConf) : []),
  ];
  const [name] = taken.find(([, port]) => port === (prometheus.port ?? 8090)) ?? [];
  return name === undefined ? [] : [{
    path: 'spec.monitoring.prometheus.port', value: prometheus.port,
    reason: `is a port of Spark itself (${name}): choose another number`,
  }];
}

function volumeViolations({ volumes }: SparkApplicationSpec): Problem[] {
  const names = new Set<string>();
  return (Array.isArray(volumes) ? volumes : []).flatMap((volume, index) => {
    const name = volume?.name;
    if (!names.has(name)) {
      names.add(name);
      return [];
    }
    return [{ path: `spec.volumes[${index}].name`, value: name, reason: 'is the name of another volume: choose another name' }];
  });
}
