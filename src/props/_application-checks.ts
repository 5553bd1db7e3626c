import { wrongSeconds, wrongSize } from './_check';
import { SparkApplicationProps } from './spark-application-props';
import { SparkDriverProps, SparkExecutorProps } from './spark-pod-props';
import { SparkApplicationType } from '../api/spark-application';
import { wrongImage, wrongName } from '../rules/names';
import type { Problem } from '../model/problem';

/**
 * Returns the problems of props that have no equivalent in the manifest, and that later changes
 * cannot repair.
 * @internal
 */
export function wrongProps(props: SparkApplicationProps): Problem[] {
  const { type, mainClass, timeToLive, activeDeadline } = props;
  return [
    isJvm(type) && !mainClass ? {
      path: 'mainClass', value: undefined, reason: `is missing; a ${type} application needs the name of its main class`,
    } : undefined,
    wrongImage('image', props.image),
    wrongSeconds('activeDeadline', activeDeadline),
    wrongSeconds('timeToLive', timeToLive, 0),
    ...wrongPod('driver', props.driver ?? {}),
    ...wrongPod('executor', props.executor ?? {}),
    wrongSize('driver.memoryLimit', props.driver?.memoryLimit),
  ].flatMap((violation) => violation ?? []);
}

function isJvm(type: SparkApplicationType): boolean {
  return type === SparkApplicationType.JAVA || type === SparkApplicationType.SCALA;
}

function wrongPod(role: string, pod: SparkDriverProps | SparkExecutorProps): (Problem | undefined)[] {
  const { memory, memoryOverhead, terminationGracePeriod } = pod;
  const names = new Set<string>();
  const twice = [...Object.keys(pod.env ?? {}), ...Object.keys(pod.secretEnv ?? {}), ...(pod.extraEnv ?? []).map(({ name }) => name)]
    .filter((name) => names.has(name) || !names.add(name));
  return [
    wrongImage(`${role}.image`, pod.image),
    wrongName(`${role}.serviceAccount`, pod.serviceAccount),
    wrongName(`${role}.priorityClassName`, pod.priorityClassName),
    wrongSize(`${role}.memory`, memory),
    wrongSize(`${role}.memoryOverhead`, memoryOverhead, 0),
    wrongSeconds(`${role}.terminationGracePeriod`, terminationGracePeriod, 0),
    ...twice.map((name) => ({
      path: `${role}.env[${name}]`, value: undefined,
      reason: 'is set twice, in env, secretEnv or extraEnv: remove one of them',
    })),
  ];
}
