import type { Container } from '../../k8s';
import { SubmissionError } from '../errors';
import { includes } from './same';

/**
 * Returns the containers with further ones; the same list if all are present.
 *
 * @throws SubmissionError if one has the name of a different container
 */
export function withContainers(
  present: readonly Container[], wanted: readonly Container[], sparkContainer: string, field: string,
): readonly Container[] {
  const byName = new Map([...present].reverse().map(container => [container.name, container]));
  const added = wanted.filter((container, index) => {
    const namesake = byName.get(container.name);
    if (container.name === sparkContainer) {
      throw nameTaken(`${field}[${index}].name`, container.name, 'is the name of Spark\'s container');
    }
    if (namesake && !includes(namesake, container)) {
      throw nameTaken(`${field}[${index}].name`, container.name, 'is the name of another container of the pod, with other content');
    }
    if (!namesake) {
      byName.set(container.name, container);
    }
    return !namesake;
  });
  return added.length === 0 ? present : [...present, ...added];
}

function nameTaken(field: string, value: string, reason: string): SubmissionError {
  return new SubmissionError({ field, value, reason, remedy: 'choose another name, or remove one of the two' });
}
