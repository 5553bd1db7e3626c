import { CommandError } from '../errors';
import type { KubeObject } from '../../kube/objects';

/** Sorts objects by age, the oldest first. @throws {CommandError} if the age of one is unknown */
export function inOrder(objects: readonly KubeObject[]): KubeObject[] {
  return [...objects].sort((a, b) => timeOf(a) - timeOf(b) || a.metadata.name.localeCompare(b.metadata.name));
}

function timeOf({ metadata }: KubeObject): number {
  const time = Date.parse(metadata.creationTimestamp ?? '');
  if (!Number.isFinite(time)) throw new CommandError(`${metadata.name} has no creationTimestamp; the API server's response is invalid`);
  return time;
}
