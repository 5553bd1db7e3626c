/*
 * PodGroups for batch schedulers: created before the driver, replaced if they belong to a previous
 * attempt, deleted at the end.
 */
import { viewOf } from '../../../../src/model/pod-view';
import { OwnedObjects } from '../../../../src/operator/kinds/spark-application/owned/owned-objects';
import { ManualClock } from '../../../kube/helpers/manual-clock';
import type { BatchSchedulerSettings } from '../../../../src/plan/settings';
import { Calls } from './helpers';
import { KEY, operator, putApplication, statusIn } from './operator';

const GROUP = 'podgroups jobs/spark-pi-pg';
const DRIVER = 'pods jobs/pi-driver';
const VOLCANO = { batchScheduler: 'volcano', executor: { instances: 2 } };
const ON = { batchSchedulers: { kubeSchedulers: [] } };

class Server extends Calls {
  /** Pods end when their kubelet reports it. */
  hasKubelet = false;

  override async delete(resource: any, ref: any, options: any = {}): Promise<any> {
    const key = `pods ${ref.namespace}/${ref.name}`;
    if (!this.hasKubelet || resource.plural !== 'pods') return (super.delete as any)(resource, ref, options);
    this.made.push('delete pods');
    this.put(key, { ...this.objects.get(key), metadata: { ...this.objects.get(key).metadata, deletionTimestamp: '2026-03-01T10:00:00Z' } });
  }

  override async* list(
    resource: any, { namespace, labelSelector = '' }: { namespace?: string; labelSelector?: string },
  ): AsyncGenerator<any> {
    this.made.push(`list ${resource.plural}`);
    this.refuse(`list ${resource.plural}`, this.made.length);
    const labels = labelSelector.split(',').filter(Boolean).map((term) => term.split('='));
    for (const [key, object] of [...this.objects]) {
      if (key.startsWith(`${resource.plural} ${namespace}/`)
        && labels.every(([label, value]) => object.metadata.labels?.[label!] === value)) {
        yield { kind: resource.kind, ...object };
      }
    }
  }
}

function serverWith(spec: object = VOLCANO): Server {
  const calls = new Server();
  putApplication(calls, { spec });
  return calls;
}

/** Starts an operator with batch scheduling. */
function started(
  calls: Server, clock = new ManualClock(Date.parse('2026-03-01T10:00:00Z')), SETTINGS: { batchSchedulers: BatchSchedulerSettings } = ON,
) {
  return operator(calls, {
    clock,
    submission: { mode: 'auto', sparkUser: 'spark', ...SETTINGS },
    owned: new OwnedObjects({
      client: calls as never, settings: { uiService: true, driverPodDisruptionBudget: true, ingress: {}, ...SETTINGS }, clock,
    }),
  });
}

const instances = (count: number) => ({ minMember: 1, minResources: { cpu: String(count + 1), memory: `${(count + 1) * 1433}Mi` } });
const orderOf = (calls: Calls, ...which: string[]) => calls.made.filter((call) => which.includes(call));

test('it is created before the driver, and deleted when the application has ended', async () => {
  const calls = serverWith();
  const { reconcile, pods, clock } = started(calls);
  await reconcile();

  expect(orderOf(calls, 'create podgroups', 'create pods')).toEqual(['create podgroups', 'create pods']);
  expect(calls.objects.get(GROUP).spec).toEqual(instances(2));
  await clock.advance(60_000);
  pods.upsert(viewOf(calls.put(DRIVER, { ...calls.objects.get(DRIVER), status: { phase: 'Succeeded' } })));
  await reconcile();
  expect([statusIn(calls).applicationState.state, calls.objects.has(GROUP)]).toEqual(['COMPLETED', false]);
});

test.each(['before', 'after'] as const)('an operator that is killed %s any of its calls leaves one group and one driver, in that order', async (when) => {
  const usual = serverWith();
  await started(usual).reconcile();
  for (let at = 1; at <= usual.made.length; at++) {
    const calls = serverWith();
    const kill = (_: string, number: number) => { if (number === at) throw new Error('killed'); };
    if (when === 'before') calls.refuse = kill;
    else calls.lose = kill;
    await started(calls).reconcile().catch(() => undefined);
    calls.refuse = calls.lose = () => undefined;
    await started(calls).reconcile();

    expect({ at, state: statusIn(calls).applicationState.state, spec: calls.objects.get(GROUP)?.spec }).toEqual({
      at, state: 'SUBMITTED', spec: instances(2),
    });
    expect(calls.objects.get(GROUP).metadata.labels['sparkoperator.k8s.io/submission-id']).toBe(statusIn(calls).submissionID);
    const group = calls.made.indexOf('create podgroups');
    expect(group).toBeLessThan(calls.made.indexOf('create pods'));
  }
});

test('a PodGroup of another specification is replaced: the previous amounts do not limit a later driver', async () => {
  const calls = serverWith();
  calls.refuse = (call) => { if (call === 'create pods') throw new Error('killed'); };
  await started(calls).reconcile().catch(() => undefined);
  calls.refuse = () => undefined;
  const application = calls.objects.get(`sparkapplications ${KEY}`);
  // The intent contains the old specification. Only an edit runs the new one.
  calls.put(GROUP, { ...calls.objects.get(GROUP), spec: { ...calls.objects.get(GROUP).spec, minResources: { cpu: '40' } } });
  expect(application.status.submissionID).toBeDefined();
  await started(calls).reconcile();

  expect(calls.objects.get(GROUP).spec).toEqual(instances(2));
  expect(statusIn(calls).applicationState.state).toBe('SUBMITTED');
});

test("a PodGroup with fields of its scheduler stays, and so does kubeflow's until the operator replaces it", async () => {
  const calls = serverWith();
  const owner = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'app', controller: true };
  calls.put(GROUP, {
    metadata: { name: 'spark-pi-pg', namespace: 'jobs', uid: 'theirs', ownerReferences: [owner] }, spec: {
      minMember: 1, minResources: { memory: '512m' },
    },
  });
  calls.refuse = (call) => { if (call === 'create pods') throw new Error('killed'); };
  await started(calls).reconcile().catch(() => undefined);
  expect(calls.objects.get(GROUP)).toMatchObject({ spec: instances(2) });

  calls.put(GROUP, { ...calls.objects.get(GROUP), spec: { ...calls.objects.get(GROUP).spec, queue: 'default' } });
  const { uid } = calls.objects.get(GROUP).metadata;
  calls.refuse = () => undefined;
  await started(calls).reconcile();
  expect(calls.objects.get(GROUP).metadata.uid).toBe(uid);
});

test("another owner's PodGroup is not used, and the application fails", async () => {
  const calls = serverWith();
  calls.put(GROUP, { metadata: { name: 'spark-pi-pg', namespace: 'jobs', uid: 'other' }, spec: { minMember: 3 } });
  await started(calls).reconcile();

  expect(statusIn(calls).applicationState).toEqual({
    state: 'FAILED', errorMessage: 'a PodGroup spark-pi-pg exists that this submission did not create; delete it',
  });
  expect(calls.objects.get(GROUP).metadata.uid).toBe('other');
});

test.each<[string, string, RegExp]>([
  ['its kind', 'the server could not find the requested resource', /^driver cannot be created yet: the cluster has no podgroups\.scheduling\.volcano\.sh .* install the scheduler with its CustomResourceDefinitions, or choose another one$/],
  ['its namespace', 'namespaces "jobs" not found', /^driver cannot be created yet: the API server does not create PodGroup spark-pi-pg: namespaces "jobs" not found$/],
])('without %s the status has the reason, and the operator retries', async (_, message, reason) => {
  const calls = serverWith();
  const resource = { plural: 'podgroups' } as never;
  calls.refuse = (call) => {
    if (call === 'create podgroups') {
      throw calls.error(
        'create', resource, { namespace: 'jobs', name: 'spark-pi-pg' }, 404, 'NotFound', message,
      );
    }
  };
  const clock = new ManualClock(Date.parse('2026-03-01T10:00:00Z'));
  const { reconcile, see } = started(calls, clock);
  const outcome = await reconcile();

  expect(statusIn(calls).applicationState).toEqual({ state: '', errorMessage: expect.stringMatching(reason) });
  expect(calls.objects.has(DRIVER)).toBe(false);
  calls.refuse = () => undefined;
  await clock.advance(outcome!.requeueAfter!);
  see();
  await reconcile();
  expect(statusIn(calls).applicationState.state).toBe('SUBMITTED');
});

test('without an installed scheduler the clean-up succeeds', async () => {
  const calls = serverWith({});
  const clock = new ManualClock(Date.parse('2026-03-01T10:00:00Z'));
  const resource = { plural: 'podgroups' } as never;
  calls.refuse = (call) => {
    if (call.endsWith('podgroups')) {
      throw calls.error(
        'list', resource, { namespace: 'jobs', name: '' }, 404, 'NotFound', 'the server could not find the requested resource',
      );
    }
  };
  const { reconcile, see, pods } = started(calls, clock);
  await reconcile();
  calls.put(`sparkapplications ${KEY}`, {
    ...calls.objects.get(`sparkapplications ${KEY}`), spec: { ...calls.objects.get(`sparkapplications ${KEY}`).spec, suspend: true },
  });
  see();
  await reconcile();
  pods.replace({ objects: [], resourceVersion: '99' });
  await clock.advance(60_000);
  await reconcile();

  expect(statusIn(calls).applicationState.state).toBe('SUSPENDED');
});

/** Changes the application's specification as its user does. */
function edit(calls: Server, change: object): void {
  const application = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, {
    ...application, metadata: { ...application.metadata, generation: 2 }, spec: { ...application.spec, ...change },
  });
}

/** Shows a driver in this phase to the operator. */
function driverIs(calls: Server, { pods }: Pick<ReturnType<typeof started>, 'pods'>, phase: string): void {
  pods.upsert(viewOf(calls.put(DRIVER, { ...calls.objects.get(DRIVER), status: { phase } })));
}

test.each<[string, object, object]>([
  ['it is suspended', {}, { suspend: true }],
  ['its specification is edited', {}, { arguments: ['x'] }],
  ['its time is over', { activeDeadlineSeconds: 60 }, {}],
])('while a driver ends because %s, its group stays; then it is deleted', async (_, spec, change) => {
  const calls = serverWith({ ...VOLCANO, ...spec });
  calls.hasKubelet = true;
  const now = started(calls);
  await now.reconcile();
  const { uid } = calls.objects.get(GROUP).metadata;
  driverIs(calls, now, 'Running');
  await now.reconcile();
  edit(calls, change);
  now.see();
  await now.clock.advance(120_000);
  await now.reconcile();
  driverIs(calls, now, 'Running');
  await now.reconcile();
  expect([calls.made.includes('delete pods'), calls.objects.get(GROUP)?.metadata.uid]).toEqual([true, uid]);

  calls.objects.delete(DRIVER);
  now.pods.replace({ objects: [], resourceVersion: '99' });
  await now.reconcile();
  expect(calls.objects.get(GROUP)?.metadata.uid).not.toBe(uid);
  expect(['SUSPENDED', 'SUBMITTED', 'FAILED']).toContain(statusIn(calls).applicationState.state);
});

test.each([
  ['an unset one', {}], ['an empty one', { batchScheduler: '' }],
])("the group of the operator's default scheduler is deleted at the end, with %s", async (_, spec) => {
  const calls = serverWith(spec);
  const settings = { batchSchedulers: { kubeSchedulers: [], default: 'volcano' } };
  // Another application has made the namespace known already.
  putApplication(calls, { name: 'other', uid: 'other', status: { driverInfo: {}, applicationState: { state: 'COMPLETED' } } });
  const now = started(calls, undefined, settings);
  await now.reconcile('jobs/other');
  await now.reconcile();
  expect(calls.objects.has(GROUP)).toBe(true);
  driverIs(calls, now, 'Succeeded');
  await now.reconcile();

  expect([statusIn(calls).applicationState.state, calls.objects.has(GROUP)]).toEqual(['COMPLETED', false]);
});

test.each<[string, (calls: Server, now: ReturnType<typeof started>) => void, boolean]>([
  ['ends', (calls, now) => driverIs(calls, now, 'Succeeded'), true],
  ['is suspended', (calls, now) => { edit(calls, { suspend: true }); now.see(); calls.objects.delete(DRIVER); now.pods.replace({ objects: [], resourceVersion: '99' }); }, true],
  ["ends, and another owner's stays", (calls, now) => {
    calls.put(
      GROUP, { ...calls.objects.get(GROUP), metadata: { ...calls.objects.get(GROUP).metadata, ownerReferences: [] } },
    ); driverIs(calls, now, 'Succeeded');
  }, false],
])("the group that kubeflow's operator has made for a driver that was taken over goes when the application %s", async (_, end, isGone) => {
  const calls = serverWith();
  await started(calls).reconcile();
  // kubeflow's operator leaves it owned, and without labels.
  const owner = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'app', controller: true };
  calls.put(
    GROUP, { metadata: { name: 'spark-pi-pg', namespace: 'jobs', uid: 'theirs', ownerReferences: [owner] }, spec: { minMember: 1 } },
  );
  const now = started(calls);
  driverIs(calls, now, 'Running');
  await now.reconcile();
  expect(statusIn(calls).applicationState.state).toBe('RUNNING');
  end(calls, now);
  await now.reconcile();
  await now.clock.advance(60_000);
  await now.reconcile();

  expect([['COMPLETED', 'SUSPENDED'].includes(statusIn(calls).applicationState.state), calls.objects.has(GROUP)]).toEqual([true, !isGone]);
});

test('the operator waits for a PodGroup in deletion, even if it has the wanted specification', async () => {
  const calls = serverWith();
  calls.refuse = (call) => { if (call === 'create pods') throw new Error('killed'); };
  await started(calls).reconcile().catch(() => undefined);
  calls.refuse = () => undefined;
  calls.put(GROUP, {
    ...calls.objects.get(GROUP), metadata: {
      ...calls.objects.get(GROUP).metadata, deletionTimestamp: '2026-03-01T10:00:00Z', finalizers: ['a/b'],
    },
  });
  await started(calls).reconcile();

  expect(calls.objects.has(DRIVER)).toBe(false);
  expect(
    statusIn(calls).applicationState.errorMessage,
  ).toBe('driver cannot be created yet: a previous PodGroup spark-pi-pg is still being deleted');
});

test('objects of a submission are deleted when a later try finds that it is impossible', async () => {
  const calls = serverWith();
  calls.refuse = (call) => { if (call === 'create pods') throw new Error('killed'); };
  await started(calls).reconcile().catch(() => undefined);
  expect(calls.objects.has(GROUP)).toBe(true);
  calls.refuse = () => undefined;
  // The operator has restarted since, with a default scheduler that has no such queue, or the
  // cluster has a new limit.
  const application = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, { ...application, spec: { ...application.spec, batchSchedulerOptions: { queue: 'Root' } } });
  await started(calls).reconcile();

  expect(statusIn(calls).applicationState).toEqual({
    state: 'FAILED', errorMessage: expect.stringContaining('is not a valid name of a Volcano queue'),
  });
  expect([...calls.objects.keys()].filter((key) => !key.startsWith('sparkapplications '))).toEqual([]);
});
