import { Registry } from 'prom-client';
import { ConnectMetrics } from '../../../src/operator/metrics/connects';
import type { SparkConnect } from '../../../src/model/spark-connect';

const connect = (namespace: string, status: object = {}) => ({
  metadata: { name: 'nb', namespace, uid: namespace }, spec: {}, status,
}) as unknown as SparkConnect;

async function textOf(registry: Registry): Promise<string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#') && !line.endsWith(' 0'));
}

test('SparkConnects are counted by state, restarts and deletions by namespace', async () => {
  const registry = new Registry();
  const metrics = new ConnectMetrics(registry, {
    connects: () => [
      connect('a', { state: 'Ready' }), connect('a', { state: 'Ready' }), connect('b'), connect('b', { state: 'Hibernating' }),
    ], leading: () => true,
  });
  metrics.onWritten(connect('a'), connect('a', { restarts: 1, lastTerminationTime: '1' }));
  metrics.onWritten(connect('a', {
    restarts: 1, lastTerminationTime: '1',
  }), connect('a', { restarts: 1, lastTerminationTime: '1', state: 'Ready' }));
  // The final end, without a restart.
  metrics.onWritten(connect('a', {
    restarts: 1, lastTerminationTime: '1',
  }), connect('a', { restarts: 2, lastTerminationTime: '2', state: 'Failed' }));
  // A replacement, which is not a restart.
  metrics.onWritten(connect('b'), connect('b', { lastTerminationTime: '1' }));
  metrics.onIdle(connect('b'));
  expect(await textOf(registry)).toEqual([
    'spark_operator_connects{namespace="a",state="Ready"} 2',
    'spark_operator_connects{namespace="b",state="New"} 1',
    'spark_operator_connects{namespace="b",state="other"} 1',
    'spark_operator_connect_restarts_total{namespace="a"} 1',
    'spark_operator_connect_idle_deletions_total{namespace="b"} 1',
  ]);
});

test('a standby replica reports no states, and namespaces beyond the limit share a series', async () => {
  const registry = new Registry();
  const metrics = new ConnectMetrics(registry, { connects: () => [connect('a')], leading: () => false });
  for (let index = 0; index < 1_200; index++) metrics.onIdle(connect(`namespace-${index}`));
  const lines = await textOf(registry);
  expect(lines).toHaveLength(1_001);
  expect(lines.at(-1)).toBe('spark_operator_connect_idle_deletions_total{namespace="other"} 200');
});
