import { mebibytesOf, wrongSeconds, wrongSize } from './_check';
import { dynamicAllocationViolations } from './_dynamic-allocation-checks';
import { nameViolations } from './_name-checks';
import { SparkApplicationProps } from './spark-application-props';
import { SparkDriverProps, SparkExecutorProps } from './spark-pod-props';
import { SparkApplicationSpec, SparkApplicationType } from '../api/spark-application';
import { sparkPorts } from '../plan/checks/spark-ports';
import type { Violation } from '../model/problem';

/**
 * What is wrong with props that the manifest's own shape cannot hold, or that no helper can mend later.
 * @internal
 */
export function wrongProps(props: SparkApplicationProps): Violation[] {
  const { type, mainClass, memoryOverheadFactor, timeToLive, activeDeadline } = props;
  return [
    isJvm(type) && !mainClass ? { path: 'mainClass', value: undefined, reason: `is missing; a ${type} application needs the name of the class with its main method` } : undefined,
    memoryOverheadFactor !== undefined && !(memoryOverheadFactor >= 0 && memoryOverheadFactor < 1000)
      ? { path: 'memoryOverheadFactor', value: memoryOverheadFactor, reason: 'must be a part of the heap, such as 0.2' } : undefined,
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

/** One and a half times what Spark keeps for itself (UnifiedMemoryManager.getMaxMemory). */
const LEAST_HEAP = 450;

function wrongPod(role: string, pod: SparkDriverProps | SparkExecutorProps, { sparkConf = {} }: SparkApplicationProps): (Violation | undefined)[] {
  const { memory, memoryOverhead, terminationGracePeriod } = pod;
  const isSmall = memory !== undefined && mebibytesOf(memory) < LEAST_HEAP && sparkConf['spark.testing.reservedMemory'] === undefined;
  const names = new Set<string>();
  const twice = [...Object.keys(pod.env ?? {}), ...Object.keys(pod.secretEnv ?? {}), ...(pod.extraEnv ?? []).map(({ name }) => name)]
    .filter((name) => names.has(name) || !names.add(name));
  return [
    wrongSize(`${role}.memory`, memory)
      ?? (isSmall ? { path: `${role}.memory`, value: memory.asString(), reason: 'must be at least 450 MiB (450m): with less Spark does not start' } : undefined),
    wrongSize(`${role}.memoryOverhead`, memoryOverhead, 0),
    wrongSeconds(`${role}.terminationGracePeriod`, terminationGracePeriod, 0),
    ...twice.map((name) => ({ path: `${role}.env[${JSON.stringify(name)}]`, value: undefined, reason: 'is there twice, in env, secretEnv or extraEnv: remove one of the two' })),
  ];
}

/**
 * What Spark itself refuses when driver or executors start, and what is written without effect: what the manifest's own shape lets pass, as others may run it.
 * @internal
 */
export function sparksOwnViolations(spec: SparkApplicationSpec): Violation[] {
  return [
    ...nameViolations(spec),
    ...dynamicAllocationViolations(spec),
    ...exporterViolations(spec),
    ...volumeViolations(spec),
  ];
}

/** A JVM whose agent finds its port taken does not start. */
function exporterViolations({ monitoring, sparkConf }: SparkApplicationSpec): Violation[] {
  const { prometheus, exposeDriverMetrics, exposeExecutorMetrics } = monitoring ?? {};
  if (!prometheus) return [];
  const taken = [...(exposeDriverMetrics ? sparkPorts('driver', sparkConf) : []), ...(exposeExecutorMetrics ? sparkPorts('executor', sparkConf) : [])];
  const [name] = taken.find(([, port]) => port === (prometheus.port ?? 8090)) ?? [];
  return name === undefined ? [] : [{ path: 'spec.monitoring.prometheus.port', value: prometheus.port, reason: `is a port of Spark itself (${name}): choose another number` }];
}

function volumeViolations({ volumes }: SparkApplicationSpec): Violation[] {
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
