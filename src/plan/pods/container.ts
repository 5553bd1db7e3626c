import type { Container, PodSpec } from '../../k8s';
import type { Problem } from '../../model/problem';
import { type Concern, fieldOf, type PodCustomization } from './pod-template';

/** Result of a concern for Spark's container. */
export interface ContainerChange {
  /** The same object if nothing changed. */
  readonly container: Container;
  /** Overridden fields and fields without effect. Default: none. */
  readonly warnings?: readonly Problem[];
}

/** Returns the containers of a pod; a template can have none. */
export function containersOf(spec: PodSpec | null | undefined): readonly Container[] {
  return spec?.containers ?? [];
}

/** Returns the init containers of a pod. */
export function initContainersOf(spec: PodSpec | null | undefined): readonly Container[] {
  return spec?.initContainers ?? [];
}

/**
 * Returns the index of Spark's container: the only one with its name, otherwise the first; -1 if
 * there is none (KubernetesUtils.selectSparkContainer).
 */
export function sparkContainerIndex(spec: PodSpec | null | undefined, { container }: Pick<PodCustomization, 'container'>): number {
  const containers = containersOf(spec);
  const named = containers.filter(({ name }) => name === container);
  return named.length === 1 ? containers.indexOf(named[0]!) : Math.min(containers.length, 1) - 1;
}

/** Returns Spark's container. */
export function sparkContainer(spec: PodSpec | null | undefined, request: Pick<PodCustomization, 'container'>): Container | undefined {
  return containersOf(spec)[sparkContainerIndex(spec, request)];
}

/**
 * Returns a concern that only changes Spark's container. If the pod has no container and the
 * concern adds something, it creates one.
 */
export function onSparkContainer(change: (container: Container, request: PodCustomization) => ContainerChange): Concern {
  return (spec, request) => {
    const before = sparkContainer(spec, request) ?? { name: request.container };
    const { container, warnings } = change(before, request);
    return { spec: container === before ? spec : withSparkContainer(spec, request, container), warnings };
  };
}

/** Returns the pod with Spark's container replaced. */
export function withSparkContainer(spec: PodSpec, request: PodCustomization, container: Container): PodSpec {
  const index = Math.max(sparkContainerIndex(spec, request), 0);
  const containers = [...containersOf(spec)];
  containers[index] = container;
  return { ...spec, containers };
}

/**
 * Returns the field that defines a container, or text about the pod's container if no field does.
 */
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
