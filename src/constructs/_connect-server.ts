import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from '../api/labels';
import type { PodTemplateSpec } from '../k8s';

/**
 * Where clients connect to (org.apache.spark.sql.connect.config.Connect: `spark.connect.grpc.binding.port`).
 * @internal
 */
export const CONNECT_PORT = 15002;

/**
 * Spark's containers.
 * @internal
 */
export const CONTAINERS = { server: DRIVER_CONTAINER, executor: EXECUTOR_CONTAINER } as const;

/**
 * Whether a template names the image of Spark's container: of that with Spark's name for it, else of the first one.
 * @internal
 */
export function hasImage(role: keyof typeof CONTAINERS, template: PodTemplateSpec | undefined): boolean {
  const containers = template?.spec?.containers ?? [];
  const container = containers.find(({ name }) => name === CONTAINERS[role]) ?? containers[0];
  return Boolean(container?.image);
}
