import { parseQuantity } from '../pods/quantity';
import { SubmissionError } from '../errors';

/**
 * Returns the value if it is a valid amount of a pod. Spark does not check it, but the API server
 * would reject the Pod.
 *
 * @throws SubmissionError if it is not a quantity of Kubernetes, or negative
 */
export function quantity(value: string, field: string): string {
  const amount = parseQuantity(value);
  if (amount === undefined || amount < 0n) {
    throw new SubmissionError({ field, value, reason: 'is not a Kubernetes quantity', remedy: 'write a number such as 2, 500m or 10Gi' });
  }
  return value;
}
