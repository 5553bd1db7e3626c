import type { Port } from '../../api/spark-pod';
import type { Container, ContainerPort } from '../../k8s';
import { SubmissionError } from '../errors';
import { onSparkContainer } from './container';
import { fieldOf, type PodCustomization } from './pod-template';
import { portsBySpark } from './spark-additions';

/** `ports` of Spark's container. A port of Spark itself can get a second name. */
export const ports = onSparkContainer((container, request) => ({
  container: (request.spec.ports ?? []).reduce((result, port, index) => withPort(
    result, request, port, fieldOf(request, `ports[${index}]`),
  ), container),
}));

/**
 * Returns the container with a port; the same object if it has the port, or if Spark will add it.
 *
 * @throws SubmissionError if another port has its name
 */
export function withPort(
  container: Container, request: PodCustomization, { name, protocol, containerPort }: Port, field: string,
): Container {
  const port: ContainerPort = { ...(name ? { name } : {}), containerPort, protocol: protocol || 'TCP' };
  const present: ContainerPort[] = [
    ...container.ports ?? [],
    ...[...portsBySpark(request)].map(([sparks, number]) => ({ name: sparks, containerPort: number })),
  ];
  const namesake = name ? present.find(other => other.name === name) : undefined;
  if (namesake && !isSamePort(namesake, port)) {
    throw new SubmissionError({
      field,
      value: name,
      reason: `is the name of port ${namesake.containerPort}/${namesake.protocol || 'TCP'} of the same container`,
      remedy: 'choose another name',
    });
  }
  const isThere = namesake !== undefined || (!name && present.some(other => isSamePort(other, port)));
  return isThere ? container : { ...container, ports: [...container.ports ?? [], port] };
}

/** Whether two ports have the same number and protocol. */
export function isSamePort(a: ContainerPort, b: ContainerPort): boolean {
  return Number(a.containerPort) === Number(b.containerPort) && (a.protocol || 'TCP') === (b.protocol || 'TCP');
}
