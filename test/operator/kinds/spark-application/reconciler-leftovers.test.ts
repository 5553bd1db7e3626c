/* Objects that attempts leave behind: the operator deletes them, and nothing else. */
import { viewOf } from '../../../../src/model/pod-view';
import { ApiError } from '../../../../src/kube/errors';
import { PODS } from '../../../../src/model/resources';
import { operatorLabels } from '../../../../src/plan/properties/labels';
import { BY_SPARK_SUBMIT, driverOf, KEY, operator, server, statusIn, theirDriver } from './operator';

test.each([
  [422, 'Invalid', 'FAILED', 'failed to run spark-submit: the API server does not create Pod pi-driver: no'],
  [403, 'Forbidden', '', 'driver cannot be created yet: the API server does not create Pod pi-driver: no'],
])('objects of a submission that is rejected with %i are deleted', async (status, reason, state, errorMessage) => {
  const calls = server();
  calls.refuse = (call) => {
    if (call === 'create pods') throw calls.error('create', PODS, { name: 'pi-driver' }, status, reason, 'no');
  };
  await operator(calls).reconcile();
  expect([...calls.objects.keys()]).toEqual([`sparkapplications ${KEY}`]);
  expect(statusIn(calls).applicationState).toEqual({ state, errorMessage });
});

test('the operator waits for an earlier driver that the cache does not show yet, and deletes it when it sees it', async () => {
  const calls = server();
  calls.put('pods jobs/pi-driver', {
    ...theirDriver(), metadata: {
      ...theirDriver().metadata, labels: operatorLabels({ name: 'pi', uid: 'app', attempt: 1, submissionID: 'earlier' }),
    },
  });
  const { reconcile, pods, clock } = operator(calls);
  const first = await reconcile();
  expect(statusIn(calls).applicationState).toEqual({
    state: '', errorMessage: 'driver cannot be created yet: a previous Pod pi-driver is still being deleted',
  });
  expect(calls.objects.has('pods jobs/pi-driver')).toBe(true);

  pods.upsert(viewOf(calls.objects.get('pods jobs/pi-driver')));
  await clock.advance((first as { requeueAfter: number }).requeueAfter);
  await reconcile();
  expect(calls.objects.has('pods jobs/pi-driver')).toBe(false);
});

test('known failure R5: a driver of an edited application whose deletion fails is deleted by the next try', async () => {
  const calls = server();
  const { reconcile, see } = operator(calls);
  await reconcile();
  const running = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(
    `sparkapplications ${KEY}`, { ...running, metadata: { ...running.metadata, generation: 2 }, spec: { ...running.spec, image: 'new' } },
  );
  see();
  calls.refuse = (call) => { if (call === 'delete pods') throw calls.error('delete', PODS, { name: 'pi-driver' }, 500, 'No'); };
  await expect(reconcile()).rejects.toThrow(ApiError);
  calls.refuse = () => undefined;
  await reconcile();
  expect(calls.objects.has('pods jobs/pi-driver')).toBe(false);
});

test('a driver without its ConfigMap, after spark-submit was killed with the previous operator, is deleted and reported', async () => {
  const calls = server();
  calls.refuse = (call) => { if (call === 'create pods') throw calls.lost(); };
  await operator(calls, { submission: BY_SPARK_SUBMIT }).reconcile().catch(() => undefined);
  calls.refuse = () => undefined;
  calls.put('pods jobs/pi-driver', driverOf(calls, 'spark-drv-1-conf-map'));
  const { reconcile, events, pods } = operator(calls, { submission: BY_SPARK_SUBMIT });
  pods.upsert(viewOf(calls.objects.get('pods jobs/pi-driver')));
  await reconcile();

  expect(calls.objects.has('pods jobs/pi-driver')).toBe(false);
  expect(
    statusIn(calls).applicationState.errorMessage,
  ).toBe('driver cannot be created yet: Pod pi-driver was left without its ConfigMap spark-drv-1-conf-map and is created again');
  expect(events).toEqual(['SparkApplicationAdded', 'SparkDriverPending']);
});

test("a user's claim is used unchanged, and survives a rejected submission", async () => {
  const volume = 'spark.kubernetes.driver.volumes.persistentVolumeClaim.v';
  const calls = server({
    sparkConf: {
      [`${volume}.mount.path`]: '/v',
      [`${volume}.options.claimName`]: 'precious',
      [`${volume}.options.storageClass`]: 'fast',
      [`${volume}.options.sizeLimit`]: '1Gi',
    },
  });
  calls.put('persistentvolumeclaims jobs/precious', { metadata: { name: 'precious', namespace: 'jobs', uid: 'theirs' } });
  calls.refuse = (call) => { if (call === 'create pods') throw calls.error('create', PODS, { name: 'pi-driver' }, 422, 'Invalid'); };
  await operator(calls).reconcile();

  expect(statusIn(calls).applicationState.state).toBe('FAILED');
  expect(calls.made).not.toContain('delete persistentvolumeclaims');
  expect(calls.objects.get('persistentvolumeclaims jobs/precious').metadata.uid).toBe('theirs');
  expect([...calls.objects.keys()].map((key) => key.split(' ')[0]).sort()).toEqual(['persistentvolumeclaims', 'sparkapplications']);
});

test('the next try deletes what an unanswered deletion left of an attempt', async () => {
  const calls = server();
  await operator(calls).reconcile();
  const stored = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(
    `sparkapplications ${KEY}`, { ...stored, metadata: { ...stored.metadata, generation: 2 }, spec: { ...stored.spec, suspend: true } },
  );
  await operator(calls).reconcile();
  calls.refuse = (call) => { if (call === 'delete configmaps') throw calls.lost(); };
  await expect(operator(calls).reconcile()).rejects.toThrow('no answer');
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUSPENDING' });

  calls.refuse = () => undefined;
  await operator(calls).reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUSPENDED' });
  expect([...calls.objects.keys()]).toEqual([`sparkapplications ${KEY}`]);
});
