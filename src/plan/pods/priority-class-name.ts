import type { PodSpec } from '../../k8s';
import { overridden } from '../../model/problem';
import { type Concern, fieldOf } from './pod-template';
import { podSource, replaceInPod } from './replace';

/** What the API server derives from the class, and refuses if it is another class's. */
const DERIVED = ['priority', 'preemptionPolicy'] as const;

/** `priorityClassName`. A priority and preemption policy of the template go with the template's class. */
export const priorityClassName: Concern = (spec, request) => {
  const wanted = request.spec.priorityClassName;
  if (!wanted || spec.priorityClassName === wanted) {
    return { spec };
  }
  const by = fieldOf(request, 'priorityClassName');
  const { spec: { priority, preemptionPolicy, ...rest }, warnings = [] } = replaceInPod(spec, request, 'priorityClassName', wanted, by);
  const derived: Pick<PodSpec, typeof DERIVED[number]> = { priority, preemptionPolicy };
  return {
    spec: rest,
    warnings: [...warnings, ...DERIVED.filter(key => derived[key] !== undefined).map(key => overridden(podSource(request, key), by))],
  };
};
