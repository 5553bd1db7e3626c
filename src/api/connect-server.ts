import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from './labels';
import type { Container, PodTemplateSpec } from '../k8s';

/**
 * Where clients connect to (org.apache.spark.sql.connect.config.Connect: `spark.connect.grpc.binding.port`).
 * @internal
 */
export const CONNECT_PORT = 15002;

/**
 * The role of a server's pod in its labels, in place of Spark's `driver`; kubeflow/spark-operator's.
 * @internal
 */
export const SERVER_ROLE = 'connect-server';

/**
 * Spark's containers.
 * @internal
 */
export const CONTAINERS = { server: DRIVER_CONTAINER, executor: EXECUTOR_CONTAINER } as const;

/**
 * The container of a template that Spark's becomes: that with Spark's name for it, else the first one.
 * @internal
 */
export function connectContainer(role: keyof typeof CONTAINERS, template: PodTemplateSpec | undefined): Container | undefined {
  const containers = template?.spec?.containers ?? [];
  return containers.find(({ name }) => name === CONTAINERS[role]) ?? containers[0];
}

/**
 * Whether a template names the image of Spark's container.
 * @internal
 */
export function hasImage(role: keyof typeof CONTAINERS, template: PodTemplateSpec | undefined): boolean {
  return Boolean(connectContainer(role, template)?.image);
}
