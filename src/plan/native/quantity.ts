import { parseQuantity } from '../pods/quantity';
import { SubmissionError } from '../errors';

/**
 * The value if it is an amount as a pod can have it. Spark does not look at it; the API server would refuse the Pod.
 *
 * @throws SubmissionError if it is no quantity of Kubernetes, or negative
 */
export function quantity(value: string, field: string): string {
  const amount = parseQuantity(value);
  if (amount === undefined || amount < 0n) {
    throw new SubmissionError({ field, value, reason: 'is not an amount as Kubernetes writes it', remedy: 'write a number such as 2, 500m or 10Gi' });
  }
  return value;
}
