import { withContainers } from './added-containers';
import { containersOf } from './container';
import { type Concern, fieldOf } from './pod-template';

/**
 * `sidecars`: added after the other containers. If there are none, adds Spark's container by name:
 * otherwise Spark would use the first sidecar as its own.
 */
export const sidecars: Concern = (spec, request) => {
  const wanted = request.spec.sidecars ?? [];
  if (wanted.length === 0) {
    return { spec };
  }
  const present = containersOf(spec).length === 0 ? [{ name: request.container }] : containersOf(spec);
  const result = withContainers(present, wanted, request.container, fieldOf(request, 'sidecars'));
  return { spec: result === spec.containers ? spec : { ...spec, containers: [...result] } };
};
