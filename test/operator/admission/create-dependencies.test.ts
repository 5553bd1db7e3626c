import { admissionDependencies, type AdmissionDependenciesOptions } from '../../../src/operator/admission/create-dependencies';
import type { KubeClient } from '../../../src/kube/client';
import { systemClock } from '../../../src/kube/clock';
import { ApiError, type Call } from '../../../src/kube/errors';
import { pathOf } from '../../../src/kube/resource';
import { SPARK_APPLICATIONS } from '../../../src/model/resources';
import type { SparkApplication, WholeApplication } from '../../../src/model/spark-application';
import { transform } from '../../../src/operator/kinds/spark-application/transform';
import { FakeApiServer, isAny, json } from '../../kube/helpers/fake-api-server';
import { ManualClock } from '../../kube/helpers/manual-clock';

const PI = {
  metadata: { namespace: 'jobs', name: 'pi', uid: 'u', resourceVersion: '7', managedFields: [] }, spec: {},
} as unknown as SparkApplication;
const GET: Call = { verb: 'get', resource: 'sparkapplications', namespace: 'jobs', name: 'pi' };

function worldWith(get: () => Promise<unknown>, options: Partial<AdmissionDependenciesOptions> = {}) {
  const asked: string[] = [];
  const client = {
    get: (_: unknown, { namespace, name }: { namespace: string; name: string }) => {
      asked.push(`${namespace}/${name}`);
      return get();
    },
    async *list(_: unknown, { namespace }: { namespace: string }) {
      asked.push(`quotas of ${namespace}`);
      yield { metadata: { namespace, name: 'quota' } };
    },
  } as unknown as Pick<KubeClient, 'get' | 'list'>;
  return {
    asked, world: admissionDependencies({
      client, clock: systemClock, isSelected: () => true, submission: { mode: 'auto', sparkUser: 'spark' }, quotas: false, ...options,
    }),
  };
}

const any = () => true;

test('a cached application is not requested', async () => {
  const { asked, world } = worldWith(async () => PI, {
    known: (namespace, name) => (`${namespace}/${name}` === 'jobs/pi' ? PI : undefined),
  });
  expect(await world.application('jobs', 'pi', any)).toBe(PI);
  expect(asked).toEqual([]);
  await world.application('jobs', 'new', any);
  expect(asked).toEqual(['jobs/new']);
});

test('an application with a stale cache entry is requested once for all callers, bypassing both caches', async () => {
  let version = 7;
  const { asked, world } = worldWith(async () => ({
    ...PI, metadata: { ...PI.metadata, resourceVersion: String(version++) },
  }), { known: () => PI });
  const ofVersion = (wanted: string) => world.application('jobs', 'pi', ({ metadata }) => metadata.resourceVersion === wanted);
  expect(await ofVersion('7')).toBe(PI);
  expect(asked).toEqual([]);
  const [first, second, none] = await Promise.all([ofVersion('8'), ofVersion('8'), ofVersion('5')]);
  // Version 7 was requested before the other callers came, so it was not conclusive for them.
  expect([first, second?.metadata.resourceVersion, none]).toEqual([undefined, '8', undefined]);
  expect(asked).toEqual(['jobs/pi', 'jobs/pi']);
});

test('many executors that begin at the same time request the application once', async () => {
  const { asked, world } = worldWith(async () => PI);
  const found = await Promise.all(Array.from({ length: 100 }, () => world.application('jobs', 'pi', any)));
  expect(asked).toEqual(['jobs/pi']);
  expect(found[99]!.metadata).not.toHaveProperty('managedFields');
});

test('a missing application takes one call', async () => {
  const { asked, world } = worldWith(async () => { throw new ApiError(GET, 404); });
  await world.application('jobs', 'absent', any);
  expect(asked).toEqual(['jobs/absent']);
});

test('a missing application is an answer; an unknown one is an error', async () => {
  expect(await worldWith(async () => { throw new ApiError(GET, 404); }).world.application('jobs', 'pi', any)).toBeUndefined();
  await expect(worldWith(async () => { throw new ApiError(GET, 500); }).world.application('jobs', 'pi', any)).rejects.toThrow('500');
});

test('ResourceQuotas are read only if configured, and each time', async () => {
  expect(worldWith(async () => PI).world.quotas).toBeUndefined();
  const { asked, world } = worldWith(async () => PI, { quotas: true });
  expect(await world.quotas!('jobs')).toEqual([{ metadata: { namespace: 'jobs', name: 'quota' } }]);
  await world.quotas!('jobs');
  expect(asked).toEqual(['quotas of jobs', 'quotas of jobs']);
});

describe('more reviews than available calls', () => {
  let server: FakeApiServer;
  beforeEach(async () => { server = await FakeApiServer.start(); });
  afterEach(() => server.stop());

  test('calls that would wait too long are refused at once, and an aborted call makes room for others', async () => {
    const clock = new ManualClock();
    const { world } = worldWith(async () => undefined, { client: server.client({ qps: 1, burst: 1, clock }), clock, quotas: true });
    expect(await world.application('jobs', 'absent', any)).toBeUndefined();
    const leaving = new AbortController();
    const waiting = ['a', 'b', 'c'].map((name) => world.application('jobs', name, any, leaving.signal));
    for (const refused of [world.application('jobs', 'pi', any), world.quotas!('jobs')]) {
      await expect(refused).rejects.toMatchObject({ code: 'BUSY' });
    }
    leaving.abort(new Error('left'));
    for (const each of waiting) await expect(each).rejects.toThrow('left');
    server.fail(isAny, json(PI));
    const answered = world.application('jobs', 'pi', any);
    await clock.advanceAsync(1_000);
    expect((await answered)!.metadata.name).toBe('pi');
    expect(server.requests.map((request) => request.path)).toEqual(['absent', 'pi'].map((name) => pathOf(
      SPARK_APPLICATIONS, 'jobs', name,
    )));
  });
});

test('the cache keeps 16 MiB of applications, by their texts and values', async () => {
  const sizes: Record<string, number> = { small: 1, large: 90_000 };
  const { asked, world } = worldWith(async () => undefined, {
    client: {
      get: async (_: unknown, { name }: { name: string }) => {
        asked.push(name);
        return { ...PI, metadata: { ...PI.metadata, name }, spec: { values: Array.from({ length: sizes[name]! }, () => ({})) } };
      },
    } as never,
    clock: new ManualClock(),
  });
  // Each empty object takes 100 bytes, and its entry in the list as many again. The large
  // application takes 18 MB, more than the limit for all.
  for (const name of ['small', 'small', 'large', 'large', 'small']) await world.application('jobs', name, any);
  expect(asked).toEqual(['small', 'large', 'large']);
});

const LARGE = { ...PI, spec: { driver: {}, sparkConf: { 'spark.example.long': 'x'.repeat(1_300 * 1024) } } } as unknown as WholeApplication;

test('an application is requested if the cache contains only its facts', async () => {
  const { asked, world } = worldWith(async () => LARGE, { known: () => transform(LARGE) });
  expect((await world.application('jobs', 'pi', any))!.spec).toBe(LARGE.spec);
  expect(asked).toEqual(['jobs/pi']);
});
