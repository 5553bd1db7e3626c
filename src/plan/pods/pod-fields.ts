import type { SparkPodSpec } from '../../api/spark-pod';
import type { Container, PodSpec } from '../../k8s';
import { onSparkContainer } from './container';
import { type Concern, fieldOf } from './pod-template';
import { replaceInContainer, replaceInPod } from './replace';

/** Returns the concern of a field that replaces one of the pod. */
export function podField<K extends keyof PodSpec, F extends keyof SparkPodSpec>(
  key: K, field: F & (SparkPodSpec[F] extends PodSpec[K] ? unknown : never),
): Concern {
  return (spec, request) => {
    const value = request.spec[field] as PodSpec[K] | null;
    return value === undefined || value === null ? { spec } : replaceInPod(spec, request, key, value, fieldOf(request, field));
  };
}

/** Returns the concern of a field that replaces one of Spark's container. */
export function containerField<K extends keyof Container, F extends keyof SparkPodSpec>(
  key: K, field: F & (SparkPodSpec[F] extends Container[K] ? unknown : never),
): Concern {
  return onSparkContainer((container, request) => {
    const value = request.spec[field] as Container[K] | null;
    return value === undefined || value === null
      ? { container }
      : replaceInContainer(container, request, key, value, fieldOf(request, field));
  });
}
