import { SparkApplicationType } from '../../src';
import { ANNOTATION_REQUEST_ID, isAlreadyExists, isInvalid } from '../../src/client';
import { ApiError } from '../../src/kube/errors';
import { SPARK_APPLICATIONS } from '../../src/model/resources';
import { lost, World } from './world';

const PROPS = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/spark/pi.py' };

let world: World;
beforeEach(() => { world = new World(); });
afterEach(() => world.client.close());

const applications = () => world.server.all(SPARK_APPLICATIONS);
const creations = () => world.calls.filter((call) => call.startsWith('create'));

test('props of the construct become an application in the namespace of the client', async () => {
  const { metadata, spec } = await world.client.submit('pi', PROPS);

  expect(metadata).toMatchObject({ namespace: 'jobs', name: 'pi', uid: expect.any(String) });
  expect(spec).toMatchObject({ image: 'apache/spark:4.1.1', driver: { serviceAccount: 'spark' } });
});

test('a manifest becomes one as it is', async () => {
  const { spec } = await world.client.submit({ metadata: { generateName: 'pi-' }, spec: { ...PROPS, mode: 'cluster', driver: {}, executor: {} } as any });

  expect(spec).toEqual({ ...PROPS, mode: 'cluster', driver: {}, executor: {} });
});

test.each(['request lost', 'answer lost'] as const)('%s: there is one application, and it is the answer', async (fault) => {
  world.fail('create', fault);
  const submitted = await world.client.submit('pi', PROPS);

  expect(applications()).toHaveLength(1);
  expect(submitted.metadata.uid).toBe(applications()[0]!.metadata.uid);
  expect(creations()).toHaveLength(2);
});

test('an answer is lost, then that to the question whether it is there', async () => {
  world.fail('create', 'answer lost');
  world.fail('get', 'answer lost');
  const submitted = await world.client.submit({ generateName: 'pi-' }, PROPS);

  expect(applications().map(({ metadata }) => metadata.uid)).toEqual([submitted.metadata.uid]);
});

test("somebody else's application of the same name is not taken for one's own, nor touched", async () => {
  const other = await world.client.submit('pi', PROPS);
  world.fail('create', 'request lost');

  const error = await world.client.submit('pi', PROPS).catch((thrown: unknown) => thrown);
  expect(isAlreadyExists(error)).toBe(true);
  expect(applications().map(({ metadata }) => metadata.uid)).toEqual([other.metadata.uid]);
});

test('a step that was started again finds what it has begun, by the id of its request', async () => {
  const first = await world.client.submit({ generateName: 'report-' }, PROPS, { requestId: 'dag-7/run-3' });
  const second = await world.client.submit({ generateName: 'report-' }, PROPS, { requestId: 'dag-7/run-3' });
  const other = await world.client.submit({ generateName: 'report-' }, PROPS, { requestId: 'dag-7/run-4' });

  expect(second.metadata.uid).toBe(first.metadata.uid);
  expect(second.metadata.annotations).toMatchObject({ [ANNOTATION_REQUEST_ID]: 'dag-7/run-3' });
  expect(other.metadata.name).not.toBe(first.metadata.name);
});

test('a refusal is told at once', async () => {
  world.fail('create', new ApiError({ verb: 'create', resource: 'sparkapplications' }, 422, { reason: 'Invalid' }));

  const error = await world.client.submit('pi', PROPS).catch((thrown: unknown) => thrown);
  expect(isInvalid(error)).toBe(true);
  expect(world.calls).toEqual(['create pi']);
});

describe('it is not known in the end whether there is one', () => {
  const manyTimes = (fault: Error) => { for (let i = 0; i < 10; i++) world.fail('create', fault); };

  test('the application is removed again', async () => {
    world.fail('create', 'answer lost');
    manyTimes(lost('create'));

    await expect(world.client.submit('pi', PROPS)).rejects.toThrow('socket hang up');
    expect(applications()).toEqual([]);
  });

  test('also when the submission is aborted meanwhile', async () => {
    const abortion = new AbortController();
    world.fail('create', 'answer lost', () => abortion.abort(new Error('the user has had enough')));

    await expect(world.client.submit('pi', PROPS, { signal: abortion.signal })).rejects.toThrow('the user has had enough');
    expect(applications()).toEqual([]);
  });

  test('but not one that can be found by the id of its request', async () => {
    world.fail('create', 'answer lost');
    manyTimes(lost('create'));

    await expect(world.client.submit('pi', PROPS, { requestId: 'run-3' })).rejects.toThrow('socket hang up');
    expect(applications()).toHaveLength(1);
  });

  test("nor somebody else's", async () => {
    await world.client.submit('pi', PROPS);
    manyTimes(lost('create'));

    await expect(world.client.submit('pi', PROPS)).rejects.toThrow('socket hang up');
    expect(applications()).toHaveLength(1);
  });
});
