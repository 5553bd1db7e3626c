import { parseMemorySize } from '../../model/memory-size';
import { withoutEffect } from '../../model/problem';
import { SubmissionError } from '../errors';
import { onSparkContainer } from './container';
import { fieldOf } from './pod-template';
import { parseQuantity, sameQuantity } from './quantity';

/**
 * Converts a size of Spark or Kubernetes to a Kubernetes quantity: `6g` and `6Gi` become `6Gi`,
 * `512m` becomes `512Mi`. As in kubeflow/spark-operator, a number without a unit is in bytes.
 *
 * @throws SubmissionError if the text is not a size
 */
export function memoryQuantity(text: string, field: string): string {
  const size = parseMemorySize(text);
  if (!size) {
    throw new SubmissionError({ field, value: text, reason: 'is not a size', remedy: 'write a number and a unit, such as 6g or 6Gi' });
  }
  const { amount, unit, isBinary } = size;
  // Spark has no unit for exbibytes, so that E is Kubernetes' exabyte.
  return `${amount}${unit === 'b' ? '' : unit === 'e' && !isBinary ? 'E' : unit && `${unit.toUpperCase()}i`}`;
}

/**
 * `memoryLimit` of Spark's container: replaces the limit that Spark sets, which equals the request.
 */
export const memoryLimit = onSparkContainer((container, request) => {
  const text = request.spec.memoryLimit;
  if (!text) {
    return { container };
  }
  const field = fieldOf(request, 'memoryLimit');
  const memory = memoryQuantity(text, field);
  if (request.target === 'template') {
    return {
      container, warnings: [
        withoutEffect(field, ': Spark itself sets the limit when it builds the pod, and only the operator\'s webhook can replace it'),
      ],
    };
  }
  const { resources } = container;
  const requested = resources?.requests?.memory;
  if (requested !== undefined && parseQuantity(memory)! < (parseQuantity(String(requested)) ?? 0n)) {
    throw new SubmissionError({
      field,
      value: text,
      reason: `is less than the ${requested} that memory and overhead need`,
      remedy: `write at least ${requested}, or lower ${fieldOf(request, 'memory')}`,
    });
  }
  return sameQuantity(memory, String(resources?.limits?.memory))
    ? { container }
    : { container: { ...container, resources: { ...resources, limits: { ...resources?.limits, memory } } } };
});
