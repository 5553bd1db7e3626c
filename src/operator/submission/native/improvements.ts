import type { Pod } from '../../kubernetes-objects';

/**
 * Where the driver's Pod is meant to differ from what spark-submit creates. Everything else that differs is a bug.
 *
 * - `enableServiceLinks: false`: otherwise Kubernetes puts seven variables for each Service of the namespace into each
 *   container. With a UI Service for each application, after some two thousand of them no driver of the namespace
 *   starts any more: `exec /opt/entrypoint.sh: argument list too long`. Spark does not use these variables.
 */
export function improveDriver(driver: Pod): Pod {
  return { ...driver, spec: { ...driver.spec, enableServiceLinks: false } };
}
