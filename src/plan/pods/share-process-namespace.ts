import type { Concern } from './pod-template';
import { fieldOf } from './pod-template';
import { replaceInPod } from './replace';

/** `shareProcessNamespace`. An explicit `false` wins over the template, too. */
export const shareProcessNamespace: Concern = (spec, request) => {
  const wanted = request.spec.shareProcessNamespace;
  const isSaid = wanted === true || (wanted === false && spec.shareProcessNamespace);
  return isSaid ? replaceInPod(spec, request, 'shareProcessNamespace', wanted, fieldOf(request, 'shareProcessNamespace')) : { spec };
};
