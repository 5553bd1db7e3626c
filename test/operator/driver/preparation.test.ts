import { viewOf } from '../../../src/model/pod-view';
import { isPreparing, obstacleIn } from '../../../src/model/pod-preparation';
import { Preparations, untilReading } from '../../../src/operator/driver/preparation';

const STARTED = Date.parse('2026-03-01T10:00:00Z');

const pod = (status: object = {}, uid = 'uid') => viewOf({
  metadata: { namespace: 'jobs', name: 'pi-driver', uid },
  spec: { nodeName: 'node' },
  status: {
    phase: 'Pending', startTime: '2026-03-01T10:00:00Z', containerStatuses: [
      { name: 'spark-kubernetes-driver', state: { waiting: { reason: 'ContainerCreating' } } },
    ], ...status,
  },
} as any);

const event = (reason: string, message: string, second: number, type = 'Warning'): any => ({
  type, reason, message, lastTimestamp: `2026-03-01T10:00:${String(second).padStart(2, '0')}Z`, metadata: {},
});

const MISSING = 'MountVolume.SetUp failed for volume "key" : secret "key" not found';

describe('events of a driver during its preparation', () => {
  test('known failure 7: a missing Secret, with the message of the kubelet, needs user action', () => {
    expect(obstacleIn([event('Scheduled', 'Successfully assigned jobs/pi-driver to node', 0, 'Normal'), event('FailedMount', MISSING, 8)]))
      .toEqual({ reason: 'FailedMount', message: MISSING, passes: false, isFromEvents: true });
  });

  test.each([
    ['FailedAttachVolume', 'Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) other'],
    [
      'FailedMount',
      'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: timed out waiting for the condition',
    ],
    ['FailedCreatePodSandBox', 'Failed to create pod sandbox: failed to find network info for sandbox'],
  ])('%s is temporary: %s', (reason, message) => {
    expect(obstacleIn([event(reason, message, 8)])).toMatchObject({ reason, passes: true });
  });

  test('an image that cannot be pulled, before the status has it', () => {
    expect(obstacleIn([event('Failed', 'Error: ErrImagePull', 8)])).toEqual({ reason: 'ErrImagePull', passes: false, isFromEvents: true });
  });

  test('a usual delay, and a later event which shows that the problem is gone, are no obstacles, whatever the order of the list is', () => {
    const delay = 'MountVolume.SetUp failed for volume "c" : failed to sync configmap cache: timed out waiting for the condition';
    expect(obstacleIn([event('FailedMount', delay, 8)])).toBeUndefined();
    const created = 'MountVolume.SetUp failed for volume "spark-conf-volume-exec" : configmap "spark-exec-eeef1ca22e988bb8-conf-map" not found';
    expect(obstacleIn([event('FailedMount', created, 8)])).toBeUndefined();
    expect(obstacleIn([event('Pulling', 'Pulling image "image:1"', 9, 'Normal'), event('FailedMount', MISSING, 8)])).toBeUndefined();
    expect(obstacleIn([])).toBeUndefined();
  });

  test('newer components write events as series, with their own times', () => {
    const { lastTimestamp: _, ...rest } = event('FailedMount', MISSING, 0);
    const series = {
      ...rest, eventTime: '2026-03-01T10:00:01.000000Z', series: { count: 3, lastObservedTime: '2026-03-01T10:00:30.000000Z' },
    };
    expect(obstacleIn([series, event('Scheduled', 'assigned', 5, 'Normal')])).toMatchObject({ reason: 'FailedMount' });
  });

  test('a secret in a message is redacted', () => {
    expect(obstacleIn([event('FailedMount', 'mount failed: --password=hunter2', 1)])!.message).not.toContain('hunter2');
  });
});

test('events are only read while a node prepares a pod', () => {
  expect(isPreparing(pod())).toBe(true);
  expect(isPreparing(pod({ startTime: undefined }))).toBe(false);
  expect(isPreparing(pod({ phase: 'Running' }))).toBe(false);
  // Its status already has the reason.
  expect(isPreparing(pod({
    containerStatuses: [{ name: 'spark-kubernetes-driver', state: { waiting: { reason: 'ImagePullBackOff' } } }],
  }))).toBe(false);
  expect(untilReading(pod(), STARTED)).toBe(5_000);
  expect(untilReading(pod(), STARTED + 5_000)).toBe(15_000);
  expect(untilReading(pod(), STARTED - 3_600_000)).toBe(15_000);
  expect(untilReading(pod({ startTime: undefined }), STARTED)).toBe(Infinity);
});

test('events are read after five seconds, then every fifteen, and their content is kept in between', async () => {
  const calls: unknown[] = [];
  const client: any = {
    async *list(_: unknown, { namespace, fieldSelector }: any) {
      calls.push({ namespace, fieldSelector });
      yield event('FailedMount', MISSING, 8);
    },
  };
  const preparations = new Preparations();
  const reasonAfter = async (seconds: number, observed = pod()) => {
    return (await preparations.observe('jobs/pi', observed, { client, now: STARTED + seconds * 1000 })).obstacle?.reason;
  };
  expect(await reasonAfter(4)).toBeUndefined();
  expect(calls).toEqual([]);
  expect(await reasonAfter(5)).toBe('FailedMount');
  expect(await reasonAfter(19)).toBe('FailedMount');
  expect(calls).toEqual([{ namespace: 'jobs', fieldSelector: 'involvedObject.uid=uid' }]);
  expect(await reasonAfter(20)).toBe('FailedMount');
  expect(calls).toHaveLength(2);
  // The driver of the next attempt has its own events.
  expect(await reasonAfter(4, pod({}, 'uid-2'))).toBeUndefined();
});

test('without the permission to read events, the reason is unknown', async () => {
  const client: any = { list() { throw new Error('forbidden'); } };
  const driver = pod();
  expect(await new Preparations().observe('jobs/pi', driver, { client, now: STARTED + 60_000 })).toBe(driver);
});

test('the beginning of long texts of an event is kept', () => {
  const long = { metadata: { name: 'e' }, type: 'Warning', reason: 'r'.repeat(100_000), message: 'm'.repeat(100_000) };
  expect(obstacleIn([long as never])).toMatchObject({ reason: `${'r'.repeat(252)}…`, message: `${'m'.repeat(1_023)}…` });
});
