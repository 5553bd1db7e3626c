import { ARMS, casesOf, startTable, withStartTable, type Run } from '../../../tools/bench/start/figures.ts';
import { phasesOf } from '../../../tools/bench/start/phases.ts';
import { manifestOf } from '../../../tools/bench/start/runs.ts';

const LOG = `2026-03-01T12:00:03.100000000Z 26/03/01 12:00:03 INFO SparkContext: Running Spark version 4.1.1
2026-03-01T12:00:05.000000000Z 26/03/01 12:00:05 INFO ExecutorPodsAllocator: Going to request 2 executors from Kubernetes for ResourceProfile Id: 0
2026-03-01T12:00:08.000000000Z 26/03/01 12:00:08 INFO KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: Registered executor NettyRpcEndpointRef(spark-client://Executor) (10.0.0.2:1) with ID 1
2026-03-01T12:00:09.000000000Z 26/03/01 12:00:09 INFO KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: Registered executor NettyRpcEndpointRef(spark-client://Executor) (10.0.0.3:1) with ID 2
2026-03-01T12:00:10.500000000Z 26/03/01 12:00:10 INFO DAGScheduler: Got job 0 (sum at pi.py:22) with 2 output partitions
2026-03-01T12:00:11.000000000Z Pi is roughly 3.14`;
const TIMES = { created: Date.parse('2026-03-01T12:00:00Z'), completed: Date.parse('2026-03-01T12:00:13Z') };

test('the phases of an application are read from the log of its driver', () => {
  expect(phasesOf(LOG, 2, TIMES)).toEqual({ context: 3100, requested: 5000, executors: 9000, job: 10_500, completed: 13_000 });
});

test('a log without one of the moments is an error, and not a time', () => {
  expect(() => phasesOf(LOG, 3, TIMES)).toThrow(/no line of the moment "executors"/);
  expect(() => phasesOf(LOG.replace('Got job 0 ', ''), 2, TIMES)).toThrow(/no line of the moment "job"/);
});

test('each round runs each case once, and begins with another arm', () => {
  const rounds = [0, 1, 2].map(casesOf);

  for (const cases of rounds) expect(new Set(cases.map((each) => JSON.stringify(each))).size).toBe(2 * 2 * ARMS.length);
  expect(rounds.map(([first]) => first!.arm)).toEqual(['plain', 'fast', 'short']);
});

test('the arms differ in image and fastStart, and short in JVM options', () => {
  const options = { namespace: 'jobs', sparkVersion: '4.1.1', images: { plain: 'a', fast: 'b' }, cgroup: '/x', deadline: 1 };
  const specOf = (arm: (typeof ARMS)[number]) => (manifestOf({ language: 'Java', executors: 5, arm }, 'pi', options) as any).spec;
  const [plain, fast, short] = ARMS.map(specOf);

  expect([plain.image, plain.fastStart, fast.image, fast.fastStart]).toEqual(['a', undefined, 'b', 'auto']);
  expect({ ...fast, image: 'a', fastStart: undefined }).toEqual({ ...plain, fastStart: undefined });
  expect(short.driver.javaOptions).toBe('-XX:TieredStopAtLevel=1 -XX:+UseSerialGC');
  expect(plain.executor.instances).toBe(5);
});

test('the table has medians, and shares of the plain runs', () => {
  const run = (arm: Run['arm'], completed: number, cpu: number): Run => (
    { language: 'Python', executors: 1, arm, cpu, phases: { context: 3000, requested: 4000, executors: 7000, job: 8000, completed } }
  );
  const table = startTable([run('plain', 16_000, 20_000), run('plain', 17_000, 22_000), run('plain', 99_000, 21_000), run('fast', 8500, 8400)]);

  expect(table.slice(2)).toEqual([
    '| Python, 1 | plain | 3.0 s | 4.0 s | 7.0 s | 8.0 s | 17.0 s | 21.0 s |',
    '| Python, 1 | fast | 3.0 s | 4.0 s | 7.0 s | 8.0 s | 8.5 s (0.50) | 8.4 s (0.40) |',
  ]);
});

test('the table replaces that on the page', () => {
  const figures = { day: '2026-03-01', commit: 'abc', machine: '2 × x', spark: '4.1.1', doubts: [], runs: [] };
  const page = withStartTable('a\n<!-- start:begin -->\nold\n<!-- start:end -->\nb\n', figures)!;

  expect(page).toMatch(/^a\n<!-- start:begin -->\n\| program[^]*with Spark 4\.1\.1[^]*\n<!-- start:end -->\nb\n$/);
  expect(page).not.toContain('old');
  expect(withStartTable('a', figures)).toBeUndefined();
});
