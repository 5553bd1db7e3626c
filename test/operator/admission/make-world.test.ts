import { admissionWorld, type AdmissionWorldOptions } from '../../../src/operator/admission/make-world';
import type { KubeClient } from '../../../src/operator/kube/client';
import { systemClock } from '../../../src/operator/kube/clock';
import { ApiError, type Call } from '../../../src/operator/kube/errors';
import type { SparkApplication } from '../../../src/operator/spark-application/model';

const PI = { metadata: { namespace: 'jobs', name: 'pi', uid: 'u', resourceVersion: '7', managedFields: [] }, spec: {} } as unknown as SparkApplication;
const GET: Call = { verb: 'get', resource: 'sparkapplications', namespace: 'jobs', name: 'pi' };

function worldWith(get: () => Promise<unknown>, options: Partial<AdmissionWorldOptions> = {}) {
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
  return { asked, world: admissionWorld({ client, clock: systemClock, isSelected: () => true, submission: { mode: 'auto', sparkUser: 'spark' }, quotas: false, ...options }) };
}

test('an application that is known is not asked for', async () => {
  const { asked, world } = worldWith(async () => PI, { known: (namespace, name) => (`${namespace}/${name}` === 'jobs/pi' ? PI : undefined) });
  expect(await world.application('jobs', 'pi')).toBe(PI);
  expect(asked).toEqual([]);
  await world.application('jobs', 'new');
  expect(asked).toEqual(['jobs/new']);
});

test('an application is asked for past all that is known and kept, if it is to be as it is now', async () => {
  let version = 7;
  const { asked, world } = worldWith(async () => ({ ...PI, metadata: { ...PI.metadata, resourceVersion: String(version++) } }), { known: () => PI });
  expect((await world.liveApplication('jobs', 'pi'))!.metadata.resourceVersion).toBe('7');
  expect((await world.liveApplication('jobs', 'pi'))!.metadata).toEqual({ namespace: 'jobs', name: 'pi', uid: 'u', resourceVersion: '8' });
  expect(asked).toEqual(['jobs/pi', 'jobs/pi']);
});

test('of many executors that begin at once, one has the application asked for', async () => {
  const { asked, world } = worldWith(async () => PI);
  const found = await Promise.all(Array.from({ length: 100 }, () => world.application('jobs', 'pi')));
  expect(asked).toEqual(['jobs/pi']);
  expect(found[99]!.metadata).not.toHaveProperty('managedFields');
});

test('that there is none is an answer; that nobody knows is not', async () => {
  expect(await worldWith(async () => { throw new ApiError(GET, 404); }).world.application('jobs', 'pi')).toBeUndefined();
  await expect(worldWith(async () => { throw new ApiError(GET, 500); }).world.application('jobs', 'pi')).rejects.toThrow('500');
});

test('ResourceQuotas are looked at only if they are to be, and each time', async () => {
  expect(worldWith(async () => PI).world.quotas).toBeUndefined();
  const { asked, world } = worldWith(async () => PI, { quotas: true });
  expect(await world.quotas!('jobs')).toEqual([{ metadata: { namespace: 'jobs', name: 'quota' } }]);
  await world.quotas!('jobs');
  expect(asked).toEqual(['quotas of jobs', 'quotas of jobs']);
});
