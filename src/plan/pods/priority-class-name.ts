import type { PodSpec } from '../../k8s';
import { overridden } from '../../model/problem';
import { type Concern, fieldOf } from './pod-template';
import { podSource, replaceInPod } from './replace';

/** Fields that the API server derives from the class. It rejects values of another class. */
const DERIVED = ['priority', 'preemptionPolicy'] as const;

/** `priorityClassName`: replaces the template's class, with its priority and preemption policy. */
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
