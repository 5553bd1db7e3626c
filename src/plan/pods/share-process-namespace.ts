import type { Concern } from './pod-template';
import { fieldOf } from './pod-template';
import { replaceInPod } from './replace';

/** `shareProcessNamespace`. An explicit `false` also takes precedence over the template. */
export const shareProcessNamespace: Concern = (spec, request) => {
  const wanted = request.spec.shareProcessNamespace;
  const isSet = wanted === true || (wanted === false && spec.shareProcessNamespace);
  return isSet ? replaceInPod(spec, request, 'shareProcessNamespace', wanted, fieldOf(request, 'shareProcessNamespace')) : { spec };
};
