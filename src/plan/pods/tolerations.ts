import { missingFrom } from './lists';
import type { Concern } from './pod-template';

/** `tolerations`: added to the existing ones. */
export const tolerations: Concern = (spec, request) => {
  const added = missingFrom(spec.tolerations, request.spec.tolerations);
  return { spec: added.length === 0 ? spec : { ...spec, tolerations: [...spec.tolerations ?? [], ...added] } };
};
