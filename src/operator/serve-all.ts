import type { Configuration } from './configuration';
import { serve, type Answer, type RunningServer } from './http-server';
import { MetricsPage, type Rendered } from './metrics/page';
import type { Clock } from '../kube/clock';
import type { Logger } from '../kube/logger';

/** The servers for the kubelet and for Prometheus. */
export interface Servers {
  close(): Promise<void>;
}

/** Serves health and metrics, each at its address, or both at one if they are given the same. */
export async function serveAll(
  { health, metrics: { address: metrics } }: Configuration, logger: Logger, healthPaths: Record<'/healthz' | '/readyz', () => Answer>, registry: Rendered, clock: Pick<Clock, 'monotonic'>,
): Promise<Servers> {
  const page = new MetricsPage(registry, clock);
  const metricsPaths = { '/metrics': () => page.read() };
  const onError = (error: unknown) => logger.error({ err: error }, 'a request to the health or metrics server failed');
  const isOne = health && metrics && health.port !== 0 && health.port === metrics.port && health.host === metrics.host;
  const servers: { health?: RunningServer; metrics?: RunningServer } = {};
  if (isOne) {
    servers.health = servers.metrics = await serve(health, { ...healthPaths, ...metricsPaths }, onError);
  } else {
    servers.health = health && await serve(health, healthPaths, onError);
    servers.metrics = metrics && await serve(metrics, metricsPaths, onError);
  }
  logger.info({ ports: { health: servers.health?.port, metrics: servers.metrics?.port } }, 'serving health and metrics');
  return { close: async () => void await Promise.all([...new Set(Object.values(servers))].map((server) => server?.close())) };
}
