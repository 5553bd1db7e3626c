import type { Configuration } from './configuration';
import { serve, type Answer, type RunningServer } from './http-server';
import type { Logger } from '../kube/logger';
import type { Registry } from 'prom-client';

/** The servers for the kubelet and for Prometheus. */
export interface Servers {
  close(): Promise<void>;
}

/** Serves health and metrics, each at its address, or both at one if they are given the same. */
export async function serveAll(
  { health, metrics: { address: metrics } }: Configuration, logger: Logger, healthPaths: Record<'/healthz' | '/readyz', () => Answer>, registry: Registry,
): Promise<Servers> {
  const metricsPaths = { '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }) };
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
