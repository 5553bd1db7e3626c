import { withoutEffect } from '../../model/problem';
import { SubmissionError } from '../errors';
import { onSparkContainer } from './container';
import { fieldOf } from './pod-template';
import { parseQuantity, sameQuantity } from './quantity';

/** Units of Spark and Kubernetes in lower case, with Kubernetes' form. */
const UNITS: { readonly [unit: string]: string } = {
  '': '', 'b': '', 'k': 'Ki', 'kb': 'Ki', 'ki': 'Ki', 'm': 'Mi', 'mb': 'Mi', 'mi': 'Mi', 'g': 'Gi', 'gb': 'Gi', 'gi': 'Gi',
  't': 'Ti', 'tb': 'Ti', 'ti': 'Ti', 'p': 'Pi', 'pb': 'Pi', 'pi': 'Pi', 'e': 'E', 'ei': 'Ei',
};

/**
 * Converts a size of Spark or Kubernetes to a Kubernetes quantity: `6g` and `6Gi` become `6Gi`,
 * `512m` becomes `512Mi`. As in kubeflow/spark-operator, a number without a unit is in bytes.
 *
 * @throws SubmissionError if the text is not a size
 */
export function memoryQuantity(text: string, field: string): string {
  const match = /^([0-9]{1,18}(?:[.][0-9]{1,18})?)([a-z]{0,2})$/.exec(text.trim().toLowerCase());
  const unit = match ? UNITS[match[2]!] : undefined;
  if (!match || unit === undefined) {
    throw new SubmissionError({ field, value: text, reason: 'is not a size', remedy: 'write a number and a unit, such as 6g or 6Gi' });
  }
  return `${match[1]}${unit}`;
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
