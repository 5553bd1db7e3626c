import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from './labels';
import type { Container, PodTemplateSpec } from '../k8s';

/**
 * Port for clients (org.apache.spark.sql.connect.config.Connect:
 * `spark.connect.grpc.binding.port`).
 * @internal
 */
export const CONNECT_PORT = 15002;

/**
 * Role of a server's pod in its labels, in place of Spark's `driver`; that of
 * kubeflow/spark-operator.
 * @internal
 */
export const SERVER_ROLE = 'connect-server';

/** Names of Spark's containers. @internal */
export const CONTAINERS = { server: DRIVER_CONTAINER, executor: EXECUTOR_CONTAINER } as const;

/**
 * Returns the container of a template that becomes Spark's: the one with Spark's name for it, else
 * the first.
 * @internal
 */
export function connectContainer(role: keyof typeof CONTAINERS, template: PodTemplateSpec | undefined): Container | undefined {
  const containers = template?.spec?.containers ?? [];
  return containers.find(({ name }) => name === CONTAINERS[role]) ?? containers[0];
}

/** Whether a template has an image for Spark's container. @internal */
export function hasImage(role: keyof typeof CONTAINERS, template: PodTemplateSpec | undefined): boolean {
  return Boolean(connectContainer(role, template)?.image);
}
