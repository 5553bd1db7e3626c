import { SparkApplicationType } from '../../src';
import { ANNOTATION_REQUEST_ID, isAlreadyExists, isInvalid } from '../../src/client';
import { ApiError } from '../../src/kube/errors';
import { SPARK_APPLICATIONS } from '../../src/model/resources';
import { lost, ClientFixture } from './client-fixture';

const PROPS = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/spark/pi.py' };

let fixture: ClientFixture;
beforeEach(() => { fixture = new ClientFixture(); });
afterEach(() => fixture.client.close());

const applications = () => fixture.server.all(SPARK_APPLICATIONS);
const creations = () => fixture.calls.filter((call) => call.startsWith('create'));

test("props of the construct become an application in the client's namespace", async () => {
  const { metadata, spec } = await fixture.client.submit('pi', PROPS);

  expect(metadata).toMatchObject({ namespace: 'jobs', name: 'pi', uid: expect.any(String) });
  expect(spec).toMatchObject({ image: 'apache/spark:4.1.1', driver: { serviceAccount: 'spark' } });
});

test('a manifest becomes an application unchanged', async () => {
  const { spec } = await fixture.client.submit({
    metadata: { generateName: 'pi-' }, spec: { ...PROPS, mode: 'cluster', driver: {}, executor: {} } as any,
  });

  expect(spec).toEqual({ ...PROPS, mode: 'cluster', driver: {}, executor: {} });
});

test.each(['request lost', 'answer lost'] as const)('%s: exactly one application is created and returned', async (fault) => {
  fixture.fail('create', fault);
  const submitted = await fixture.client.submit('pi', PROPS);

  expect(applications()).toHaveLength(1);
  expect(submitted.metadata.uid).toBe(applications()[0]!.metadata.uid);
  expect(creations()).toHaveLength(2);
});

test('the answer is lost, and so is that to the check whether the application exists', async () => {
  fixture.fail('create', 'answer lost');
  fixture.fail('get', 'answer lost');
  const submitted = await fixture.client.submit({ generateName: 'pi-' }, PROPS);

  expect(applications().map(({ metadata }) => metadata.uid)).toEqual([submitted.metadata.uid]);
});

test("another user's application of the same name is neither returned nor changed", async () => {
  const other = await fixture.client.submit('pi', PROPS);
  fixture.fail('create', 'request lost');

  const error = await fixture.client.submit('pi', PROPS).catch((thrown: unknown) => thrown);
  expect(isAlreadyExists(error)).toBe(true);
  expect(applications().map(({ metadata }) => metadata.uid)).toEqual([other.metadata.uid]);
});

test('a restarted step finds its application by the id of its request', async () => {
  const first = await fixture.client.submit({ generateName: 'report-' }, PROPS, { requestId: 'dag-7/run-3' });
  const second = await fixture.client.submit({ generateName: 'report-' }, PROPS, { requestId: 'dag-7/run-3' });
  const other = await fixture.client.submit({ generateName: 'report-' }, PROPS, { requestId: 'dag-7/run-4' });

  expect(second.metadata.uid).toBe(first.metadata.uid);
  expect(second.metadata.annotations).toMatchObject({ [ANNOTATION_REQUEST_ID]: 'dag-7/run-3' });
  expect(other.metadata.name).not.toBe(first.metadata.name);
});

test('the same id with other props returns the existing application unchanged', async () => {
  await fixture.client.submit('report', PROPS, { requestId: 'run-3' });
  const { spec } = await fixture.client.submit('report', { ...PROPS, mainApplicationFile: 'local:///other.py' }, { requestId: 'run-3' });
  expect(spec.mainApplicationFile).toBe(PROPS.mainApplicationFile);
  expect(applications()).toHaveLength(1);
});

test.each([
  ['', 'requestId = "" must be a text that is not empty'], [' ', 'requestId = " " must be'], [7, 'requestId = 7 must be'],
  ['x'.repeat(1_025), 'requestId has 1025 characters; it can have at most 1024'],
])('the request id %p is rejected before anything is sent', async (requestId, message) => {
  const error = await fixture.client.submit({ generateName: 'report-' }, PROPS, { requestId: requestId as string }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toContain(message);
  expect(fixture.calls).toEqual([]);
});

test('a rejection is reported without a retry', async () => {
  fixture.fail('create', new ApiError({ verb: 'create', resource: 'sparkapplications' }, 422, { reason: 'Invalid' }));

  const error = await fixture.client.submit('pi', PROPS).catch((thrown: unknown) => thrown);
  expect(isInvalid(error)).toBe(true);
  expect(fixture.calls).toEqual(['create pi']);
});

describe('when the result remains unknown', () => {
  const manyTimes = (fault: Error) => { for (let i = 0; i < 10; i++) fixture.fail('create', fault); };

  test('the application is deleted again', async () => {
    fixture.fail('create', 'answer lost');
    manyTimes(lost('create'));

    await expect(fixture.client.submit('pi', PROPS)).rejects.toThrow('socket hang up');
    expect(applications()).toEqual([]);
  });

  test('it is also deleted when the submission is aborted', async () => {
    const abortion = new AbortController();
    fixture.fail('create', 'answer lost', () => abortion.abort(new Error('the user has had enough')));

    await expect(fixture.client.submit('pi', PROPS, { signal: abortion.signal })).rejects.toThrow('the user has had enough');
    expect(applications()).toEqual([]);
  });

  test('it stays if it can be found by the id of its request', async () => {
    fixture.fail('create', 'answer lost');
    manyTimes(lost('create'));

    await expect(fixture.client.submit('pi', PROPS, { requestId: 'run-3' })).rejects.toThrow('socket hang up');
    expect(applications()).toHaveLength(1);
  });

  test('nor one of another user', async () => {
    await fixture.client.submit('pi', PROPS);
    manyTimes(lost('create'));

    await expect(fixture.client.submit('pi', PROPS)).rejects.toThrow('socket hang up');
    expect(applications()).toHaveLength(1);
  });
});
