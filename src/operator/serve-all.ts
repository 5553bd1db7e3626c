import type { Configuration } from '../flags/configuration';
import { serve, type Answer, type RunningServer } from './http-server';
import type { Clock } from '../kube/clock';
import type { Logger } from '../kube/logger';
import { SingleFlightCache } from '../kube/single-flight-cache';

/**
 * Milliseconds for which all scrapes share one page of metrics. With 1,000 label sets and 10,000
 * applications it has 4 MB and takes 125 ms of CPU.
 */
const PAGE_AGE = 1_000;

/** The servers for the kubelet and for Prometheus. */
export interface Servers {
  close(): Promise<void>;
}

/** Serves health and metrics, each at its address, or both at one if the addresses are equal. */
export async function serveAll(
  { health, metrics: { address: metrics } }: Configuration, logger: Logger, healthPaths: Record<'/healthz' | '/readyz', () => Answer>,
  registry: { readonly contentType: string; metrics(): Promise<string> },
  clock: Clock,
): Promise<Servers> {
  const pages = new SingleFlightCache<Buffer>({ age: PAGE_AGE, limit: 1, clock });
  const page = async () => Buffer.from(await registry.metrics());
  const metricsPaths = { '/metrics': async () => ({ status: 200, type: registry.contentType, body: await pages.get('all', page) }) };
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
