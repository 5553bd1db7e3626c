import type { Container, Pod } from '../../kubernetes-objects';

/**
 * Where the driver's Pod is meant to differ from what spark-submit creates. Everything else that differs is a bug.
 *
 * - `enableServiceLinks: false`: otherwise Kubernetes puts seven variables for each Service of the namespace into each
 *   container. With a UI Service for each application, after some two thousand of them no driver of the namespace
 *   starts any more: `exec /opt/entrypoint.sh: argument list too long`. Spark does not use these variables.
 * - `terminationMessagePolicy: FallbackToLogsOnError` of Spark's container: the kubelet keeps the last lines of a failed driver's
 *   log in the Pod's status, from where the application's status tells what went wrong. A template's own policy stays.
 */
export function improveDriver(driver: Pod): Pod {
  const containers = driver.spec.containers.map((container, index, { length }): Container => (
    // Spark's container is the last one.
    index === length - 1 ? { terminationMessagePolicy: 'FallbackToLogsOnError', ...container } : container
  ));
  return { ...driver, spec: { ...driver.spec, containers, enableServiceLinks: false } };
}
