import { withContainers } from './added-containers';
import { initContainersOf } from './container';
import { type Concern, fieldOf } from './pod-template';

/** `initContainers`: added after those of the template. */
export const initContainers: Concern = (spec, request) => {
  const present = initContainersOf(spec);
  const result = withContainers(present, request.spec.initContainers ?? [], request.container, fieldOf(request, 'initContainers'));
  return { spec: result === present ? spec : { ...spec, initContainers: [...result] } };
};
