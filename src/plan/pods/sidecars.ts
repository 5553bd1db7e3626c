import { withContainers } from './added-containers';
import { containersOf } from './container';
import { type Concern, fieldOf } from './pod-template';

/** `sidecars`, after the containers that are there. Spark's container is there at least by name, or Spark would take the first sidecar for its own. */
export const sidecars: Concern = (spec, request) => {
  const wanted = request.spec.sidecars ?? [];
  if (wanted.length === 0) {
    return { spec };
  }
  const present = containersOf(spec).length === 0 ? [{ name: request.container }] : containersOf(spec);
  const result = withContainers(present, wanted, request.container, fieldOf(request, 'sidecars'));
  return { spec: result === spec.containers ? spec : { ...spec, containers: [...result] } };
};
