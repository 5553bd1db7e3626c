import { Registry } from 'prom-client';
import type { Logger } from '../../src/kube/logger';
import type { Configuration } from '../../src/flags/configuration';
import { serveAll, type Servers } from '../../src/operator/serve-all';
import { ManualClock } from '../kube/helpers/manual-clock';

const ADDRESS = { host: '127.0.0.1', port: 0 };
const answer = () => ({ status: 200, body: 'ok\n' });

let servers: Servers;
afterEach(() => servers.close());

test('scrapes within a second share one page of metrics', async () => {
  const clock = new ManualClock();
  let port = 0;
  const logger = { info: ({ ports }: { ports: { metrics: number } }) => { port = ports.metrics; } } as unknown as Logger;
  const pages: ((text: string) => void)[] = [];
  const registry = { contentType: Registry.PROMETHEUS_CONTENT_TYPE, metrics: () => new Promise<string>((resolve) => { pages.push(resolve); }) };
  servers = await serveAll({ health: ADDRESS, metrics: { address: ADDRESS } } as unknown as Configuration, logger, { '/healthz': answer, '/readyz': answer }, registry, clock);
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

  const first = Array.from({ length: 20 }, scrape);
  while (pages.length === 0) await new Promise(setImmediate);
  pages[0]!('first\n');
  expect(new Set(await Promise.all(first))).toEqual(new Set(['first\n']));
  await clock.advanceAsync(999);
  expect(await scrape()).toBe('first\n');
  expect(pages).toHaveLength(1);
  await clock.advanceAsync(1);
  const second = scrape();
  while (pages.length === 1) await new Promise(setImmediate);
  pages[1]!('second\n');
  expect(await second).toBe('second\n');
});
