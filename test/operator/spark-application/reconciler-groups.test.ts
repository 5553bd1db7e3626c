/* The group of pods that a batch scheduler takes as a whole: made before the driver, replaced if it is of before, gone with the end. */
import { OwnedObjects } from '../../../src/operator/spark-application/owned/owned-objects';
import { viewOf } from '../../../src/operator/spark-application/pod-view';
import { ManualClock } from '../kube/helpers/manual-clock';
import { Calls } from './helpers';
import { KEY, operator, putApplication, statusIn } from './operator';

const GROUP = 'podgroups jobs/spark-pi-pg';
const DRIVER = 'pods jobs/pi-driver';
const VOLCANO = { batchScheduler: 'volcano', executor: { instances: 2 } };
const SETTINGS = { batchSchedulers: { kubeSchedulers: [] } };

class Server extends Calls {
  override async* list(resource: any, { namespace, labelSelector = '' }: { namespace?: string; labelSelector?: string }): AsyncGenerator<any> {
    this.made.push(`list ${resource.plural}`);
    this.refuse(`list ${resource.plural}`, this.made.length);
    const labels = labelSelector.split(',').filter(Boolean).map((term) => term.split('='));
    for (const [key, object] of [...this.objects]) {
      if (key.startsWith(`${resource.plural} ${namespace}/`) && labels.every(([label, value]) => object.metadata.labels?.[label!] === value)) yield { kind: resource.kind, ...object };
    }
  }
}

function serverWith(spec: object = VOLCANO): Server {
  const calls = new Server();
  putApplication(calls, { spec });
  return calls;
}

/** An operator that has just started, with batch scheduling. */
function started(calls: Server, clock = new ManualClock(Date.parse('2026-03-01T10:00:00Z'))) {
  return operator(calls, {
    clock,
    submission: { mode: 'auto', sparkUser: 'spark', ...SETTINGS },
    owned: new OwnedObjects({ client: calls as never, settings: { uiService: true, driverPodDisruptionBudget: true, ingress: {}, ...SETTINGS }, clock }),
  });
}

const instances = (count: number) => ({ minMember: 1, minResources: { cpu: String(count + 1), memory: `${(count + 1) * 1433}Mi` } });
const orderOf = (calls: Calls, ...which: string[]) => calls.made.filter((call) => which.includes(call));

test('it is made before the driver, and removed when the application has ended', async () => {
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

    expect({ at, state: statusIn(calls).applicationState.state, spec: calls.objects.get(GROUP)?.spec }).toEqual({ at, state: 'SUBMITTED', spec: instances(2) });
    expect(calls.objects.get(GROUP).metadata.labels['sparkoperator.k8s.io/submission-id']).toBe(statusIn(calls).submissionID);
    const group = calls.made.indexOf('create podgroups');
    expect(group).toBeLessThan(calls.made.indexOf('create pods'));
  }
});

test('one of another specification is replaced: a driver that comes later is not held to amounts of before', async () => {
  const calls = serverWith();
  calls.refuse = (call) => { if (call === 'create pods') throw new Error('killed'); };
  await started(calls).reconcile().catch(() => undefined);
  calls.refuse = () => undefined;
  const application = calls.objects.get(`sparkapplications ${KEY}`);
  // The intent was written with the old specification; that the new one is run is for an edit.
  calls.put(GROUP, { ...calls.objects.get(GROUP), spec: { ...calls.objects.get(GROUP).spec, minResources: { cpu: '40' } } });
  expect(application.status.submissionID).toBeDefined();
  await started(calls).reconcile();

  expect(calls.objects.get(GROUP).spec).toEqual(instances(2));
  expect(statusIn(calls).applicationState.state).toBe('SUBMITTED');
});

test("one that its scheduler has added to is left, and so is one that kubeflow's operator made, until it is replaced by ours", async () => {
  const calls = serverWith();
  const owner = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'app', controller: true };
  calls.put(GROUP, { metadata: { name: 'spark-pi-pg', namespace: 'jobs', uid: 'theirs', ownerReferences: [owner] }, spec: { minMember: 1, minResources: { memory: '512m' } } });
  calls.refuse = (call) => { if (call === 'create pods') throw new Error('killed'); };
  await started(calls).reconcile().catch(() => undefined);
  expect(calls.objects.get(GROUP)).toMatchObject({ spec: instances(2) });

  calls.put(GROUP, { ...calls.objects.get(GROUP), spec: { ...calls.objects.get(GROUP).spec, queue: 'default' } });
  const { uid } = calls.objects.get(GROUP).metadata;
  calls.refuse = () => undefined;
  await started(calls).reconcile();
  expect(calls.objects.get(GROUP).metadata.uid).toBe(uid);
});

test("somebody else's is not taken, and the application fails", async () => {
  const calls = serverWith();
  calls.put(GROUP, { metadata: { name: 'spark-pi-pg', namespace: 'jobs', uid: 'other' }, spec: { minMember: 3 } });
  await started(calls).reconcile();

  expect(statusIn(calls).applicationState).toEqual({ state: 'FAILED', errorMessage: 'a PodGroup spark-pi-pg exists that this submission did not create; delete it' });
  expect(calls.objects.get(GROUP).metadata.uid).toBe('other');
});

test.each<[string, string, RegExp]>([
  ['its kind', 'the server could not find the requested resource', /^driver cannot be created yet: the cluster has no podgroups\.scheduling\.volcano\.sh .* install the scheduler with its CustomResourceDefinitions, or choose another one$/],
  ['its namespace', 'namespaces "jobs" not found', /^driver cannot be created yet: the API server does not create PodGroup spark-pi-pg: namespaces "jobs" not found$/],
])('without %s the reason is told, and it is tried again', async (_, message, reason) => {
  const calls = serverWith();
  const resource = { plural: 'podgroups' } as never;
  calls.refuse = (call) => { if (call === 'create podgroups') throw calls.error('create', resource, { namespace: 'jobs', name: 'spark-pi-pg' }, 404, 'NotFound', message); };
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

test('where no scheduler is installed nothing is missed at the end', async () => {
  const calls = serverWith({});
  const clock = new ManualClock(Date.parse('2026-03-01T10:00:00Z'));
  const resource = { plural: 'podgroups' } as never;
  calls.refuse = (call) => { if (call.endsWith('podgroups')) throw calls.error('list', resource, { namespace: 'jobs', name: '' }, 404, 'NotFound', 'the server could not find the requested resource'); };
  const { reconcile, see, pods } = started(calls, clock);
  await reconcile();
  calls.put(`sparkapplications ${KEY}`, { ...calls.objects.get(`sparkapplications ${KEY}`), spec: { ...calls.objects.get(`sparkapplications ${KEY}`).spec, suspend: true } });
  see();
  await reconcile();
  pods.replace({ objects: [], resourceVersion: '99' });
  await clock.advance(60_000);
  await reconcile();

  expect(statusIn(calls).applicationState.state).toBe('SUSPENDED');
});
