import type { Container, PodSpec } from '../../k8s';
import { overridden, type Problem } from '../../model/problem';
import { type ContainerChange, sparkContainer, sparkContainerIndex } from './container';
import type { Change, PodCustomization } from './pod-template';
import { same } from './same';

/** Sets a field of the pod. Replaces another value with a warning. */
export function replaceInPod<K extends keyof PodSpec>(
  spec: PodSpec, request: PodCustomization, key: K, value: PodSpec[K], by: string,
): Change {
  if (same(spec[key], value)) {
    return { spec };
  }
  return { spec: { ...spec, [key]: value }, warnings: lost(spec[key], value, podSource(request, key), by) };
}

/** Sets a field of Spark's container. Replaces another value with a warning. */
export function replaceInContainer<K extends keyof Container>(
  container: Container, request: PodCustomization, key: K, value: Container[K], by: string,
): ContainerChange {
  if (same(container[key], value)) {
    return { container };
  }
  return { container: { ...container, [key]: value }, warnings: lost(container[key], value, containerSource(request, key), by) };
}

/** Returns the warning about a replaced value; none if the new value contains the old one. */
export function lost(before: unknown, after: unknown, field: string, by: string): Problem[] {
  return isKept(before, after) ? [] : [overridden(field, by)];
}

function isKept(before: unknown, after: unknown): boolean {
  if (before === undefined || before === null || same(after, before)) {
    return true;
  }
  return typeof before === 'object' && typeof after === 'object' && after !== null
    && Object.entries(before).every(([name, value]) => same({ [name]: (after as { [name: string]: unknown })[name] }, { [name]: value }));
}

/** Returns the source of a field of a pod: its template, or the pod itself. */
export function podSource({ role, spec }: PodCustomization, key: keyof PodSpec): string {
  const value = spec.template?.spec?.[key];
  return value === undefined || value === null ? `spec.${key} of the pod` : `spec.${role}.template.spec.${key}`;
}

/** Returns the source of a field of Spark's container: its template, or the container itself. */
export function containerSource(request: PodCustomization, key: keyof Container): string {
  const value = sparkContainer(request.spec.template?.spec, request)?.[key];
  return value === undefined || value === null ? `${key} of the container ${request.container}` : `${templateContainer(request)}.${key}`;
}

/** Returns the path of Spark's container in the template. */
export function templateContainer(request: Pick<PodCustomization, 'role' | 'spec' | 'container'>): string {
  return `spec.${request.role}.template.spec.containers[${Math.max(sparkContainerIndex(request.spec.template?.spec, request), 0)}]`;
}
