import type { Container, PodSpec } from '../../k8s';
import type { Problem } from '../../model/problem';
import { type Concern, fieldOf, type PodCustomization } from './pod-template';

/** What a concern makes of Spark's container. */
export interface ContainerChange {
  /** The same object if there was nothing to do. */
  readonly container: Container;
  /** What was overridden, or has no effect. Default: nothing. */
  readonly warnings?: readonly Problem[];
}

/** The containers of a pod; a template may have none. */
export function containersOf(spec: PodSpec | null | undefined): readonly Container[] {
  return spec?.containers ?? [];
}

/** The containers that run before the others. */
export function initContainersOf(spec: PodSpec | null | undefined): readonly Container[] {
  return spec?.initContainers ?? [];
}

/** Where Spark's container is: the one of its name if there is exactly one, else the first; -1 if there is none (KubernetesUtils.selectSparkContainer). */
export function sparkContainerIndex(spec: PodSpec | null | undefined, { container }: Pick<PodCustomization, 'container'>): number {
  const containers = containersOf(spec);
  const named = containers.filter(({ name }) => name === container);
  return named.length === 1 ? containers.indexOf(named[0]!) : Math.min(containers.length, 1) - 1;
}

/** Spark's container. */
export function sparkContainer(spec: PodSpec | null | undefined, request: Pick<PodCustomization, 'container'>): Container | undefined {
  return containersOf(spec)[sparkContainerIndex(spec, request)];
}

/** A concern of Spark's container alone. A pod without containers gets one of its name, if something has to be put on it. */
export function onSparkContainer(change: (container: Container, request: PodCustomization) => ContainerChange): Concern {
  return (spec, request) => {
    const before = sparkContainer(spec, request) ?? { name: request.container };
    const { container, warnings } = change(before, request);
    return { spec: container === before ? spec : withSparkContainer(spec, request, container), warnings };
  };
}

/** The pod with another container in the place of Spark's. */
export function withSparkContainer(spec: PodSpec, request: PodCustomization, container: Container): PodSpec {
  const index = Math.max(sparkContainerIndex(spec, request), 0);
  const containers = [...containersOf(spec)];
  containers[index] = container;
  return { ...spec, containers };
}

/** Where a container was written: the field, the template, or the pod itself if neither has one of its name. */
export function fieldOfContainer({ name }: Container, request: PodCustomization): string {
  const { spec } = request;
  const places: readonly [string, readonly Container[]][] = [
    ['sidecars', spec.sidecars ?? []],
    ['initContainers', spec.initContainers ?? []],
    ['template.spec.containers', containersOf(spec.template?.spec)],
    ['template.spec.initContainers', initContainersOf(spec.template?.spec)],
  ];
  for (const [field, containers] of places) {
    const index = containers.findIndex(container => container.name === name);
    if (index >= 0) {
      return fieldOf(request, `${field}[${index}]`);
    }
  }
  return `the container ${name}`;
}
