import { connectContainer } from '../../api/connect-server';
import type { PodTemplateSpec, Probe } from '../../k8s';

/** Startup probe of a server without another one: five minutes, as in kubeflow/spark-operator. */
export const STARTUP_PROBE = { periodSeconds: 2, timeoutSeconds: 1, failureThreshold: 150 };

/** Times of a startup probe, in milliseconds since the start of the container. */
export interface StartupTimes {
  /** Earliest time of the last failure, with which the kubelet ends the container. */
  readonly least: number;
  /** Time by which the container has ended, with a usual grace period and a slow node. */
  readonly most: number;
}

/** Milliseconds from the last failure of a probe to the end of the container. */
const ENDED_AFTER = 90_000;

/**
 * Returns when the kubelet ends a server that accepts no connections.
 *
 * @param template that of the server
 */
export function startupTimes(template: PodTemplateSpec | undefined): StartupTimes {
  const probe: Probe = connectContainer('server', template)?.startupProbe ?? STARTUP_PROBE;
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 } = probe;
  const seconds = initialDelaySeconds + periodSeconds * (failureThreshold - 1);
  // Times of containers have whole seconds.
  return { least: (seconds - 1) * 1_000, most: (seconds + periodSeconds) * 1_000 + ENDED_AFTER };
}
