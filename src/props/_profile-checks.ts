import { wrongSeconds, wrongSize } from './_check';
import { wrongOpenLineage } from './_open-lineage';
import { SparkPodProps } from './spark-pod-props';
import { SparkProfileProps } from './spark-profile-props';
import { wrongImage, wrongName } from '../rules/names';
import type { Problem } from '../model/problem';

/**
 * Returns the problems of settings that many applications share, which have no equivalent in the
 * manifest.
 * @internal
 */
export function wrongProfile(props: SparkProfileProps): Problem[] {
  const { timeToLive, activeDeadline } = props;
  return [
    wrongImage('image', props.image),
    wrongSeconds('activeDeadline', activeDeadline),
    wrongSeconds('timeToLive', timeToLive, 0),
    ...wrongPod('pods', props.pods ?? {}),
    ...wrongPod('driver', props.driver ?? {}),
    ...wrongPod('executor', props.executor ?? {}),
    wrongSize('driver.memoryLimit', props.driver?.memoryLimit),
    ...wrongOpenLineage(props.openLineage),
  ].flatMap((violation) => violation ?? []);
}

function wrongPod(role: string, pod: SparkPodProps & { readonly serviceAccount?: string }): (Problem | undefined)[] {
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
