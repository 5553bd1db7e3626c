import { CatchUpPolicy, ConcurrencyPolicy } from '../../../../src/api/scheduled-spark-application';
import type { WholeSchedule } from '../../../../src/model/scheduled-spark-application';
import { planOf } from '../../../../src/operator/kinds/scheduled-spark-application/plan';
import { timesOf, World } from './world';

const unix = (text: string) => Date.parse(text) / 1000;

test('a new schedule is planned, and runs at its time under a name that follows from it', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  expect(await world.look()).toBe(17 * 3_600_000);
  expect(world.status).toEqual({ scheduleState: 'Scheduled', nextRun: '2026-03-02T03:00:00Z' });

  await world.goOnUntil('2026-03-02T03:00:05Z');
  const [run] = world.runs;
  expect(run!.metadata).toMatchObject({
    name: `nightly-${unix('2026-03-02T03:00:00Z')}`,
    namespace: 'jobs',
    labels: { 'team': 'data', 'sparkoperator.k8s.io/scheduled-app-name': 'nightly' },
    annotations: { 'sparkoperator.k8s.io/scheduled-at': '2026-03-02T03:00:00Z', 'sparkoperator.k8s.io/trigger': 'schedule' },
    ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', name: 'nightly', uid: 'schedule', controller: true }],
  });
  expect(run!.spec).toEqual((world.schedule as WholeSchedule).spec.template);
  expect(world.status).toEqual({ scheduleState: 'Scheduled', nextRun: '2026-03-03T03:00:00Z', lastRun: '2026-03-02T03:00:00Z', lastRunName: run!.metadata.name });
  expect(world.events).toEqual([
    'ScheduledSparkApplicationScheduled: The next run is at 2026-03-02T03:00:00Z',
    `ScheduledRunStarted: Started ${run!.metadata.name}, the run of 2026-03-02T03:00:00Z`,
  ]);
  expect(world.counts).toEqual([{ kind: 'started', trigger: 'schedule', lateness: 0 }]);
});

test('while others wait, a run is created before that of any other is written down', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  world.othersWait = true;
  await world.goOnUntil('2026-03-02T03:00:00.250Z');
  const { lastRunName } = world.status;
  expect(world.names).toEqual([lastRunName]);
  expect(world.counts).toEqual([{ kind: 'started', trigger: 'schedule', lateness: 0 }]);
});

test('a run costs two calls, and a schedule one when it is first seen', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  await world.goOnUntil('2026-03-02T03:00:05Z');
  expect(world.server.made).toEqual(['get scheduledsparkapplications', 'update scheduledsparkapplications', 'create sparkapplications', 'update scheduledsparkapplications']);
});

test.each([undefined, '' as ConcurrencyPolicy, ConcurrencyPolicy.ALLOW])('known failure R8: without a policy, as with Allow (%p), runs begin beside each other', async (concurrencyPolicy) => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy });
  await world.goOnUntil('2026-03-01T10:35:00Z');
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:10:00Z', '2026-03-01T10:20:00Z', '2026-03-01T10:30:00Z']);
});

test('Forbid skips the runs that are due while one is active, and does not catch them up', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy: ConcurrencyPolicy.FORBID, successfulRunHistoryLimit: 10 });
  await world.goOnUntil('2026-03-01T11:00:00Z', 15 * 60_000);
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:10:00Z', '2026-03-01T10:30:00Z', '2026-03-01T10:50:00Z']);
  expect(world.events).toContain(`ScheduledRunSkipped: Skipped the run of 2026-03-01T10:20:00Z: nightly-${unix('2026-03-01T10:10:00Z')} has not ended, and spec.concurrencyPolicy is Forbid`);
  expect(world.counts).toContainEqual({ kind: 'skipped', reason: 'forbidden', runs: 1 });
});

test('Replace starts a run when the previous run and its driver are gone', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy: ConcurrencyPolicy.REPLACE });
  const [first, second] = ['10:10', '10:20'].map((time) => `nightly-${unix(`2026-03-01T${time}:00Z`)}`);
  await world.goOnUntil('2026-03-01T10:15:00Z');
  world.setState(first!, 'RUNNING');
  world.setDriver(first!, 'Running');
  await world.goOnUntil('2026-03-01T10:20:20Z');
  expect(world.names).toEqual([]);
  expect(world.status.conditions).toMatchObject([{ type: 'Waiting', status: 'True', reason: 'Replacing', message: `${second} begins when ${first} is gone` }]);
  expect(world.status.nextRun).toBe('2026-03-01T10:20:00Z');

  // Its grace is longer than a run may be late; and an operator that has just started does not see
  // it in its cache yet.
  await world.goOnUntil('2026-03-01T10:22:00Z');
  expect(world.names).toEqual([]);
  world.setDriver(first!);
  world.restart();
  await world.look();
  expect(world.names).toEqual([second]);
  expect(world.status).toMatchObject({ nextRun: '2026-03-01T10:30:00Z', conditions: [{ type: 'Waiting', status: 'False' }] });
  expect(world.events.filter((event) => /Replaced|Started/.test(event))).toEqual([
    expect.stringContaining(`Started ${first}`),
    `ScheduledRunReplaced: Deleting ${first}: ${second}, the run of 2026-03-01T10:20:00Z, takes its place, as spec.concurrencyPolicy is Replace`,
    expect.stringContaining(`Started ${second}, the run of`),
  ]);
});

test('whether the driver of a run that was replaced is gone is read from the API server', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy: ConcurrencyPolicy.REPLACE });
  await world.goOnUntil('2026-03-01T10:20:01Z');
  const [second] = world.names;
  world.setDriver(second!, 'Pending');
  await world.goOnUntil('2026-03-01T10:30:01Z');
  expect(world.names).toEqual([]);
  // The cache has not seen it.
  expect(world.server.leaving).toEqual([`${second}-driver`]);
  world.restart();
  world.seen = { ...world.snapshot(), objects: new Map([...world.server.objects].filter(([key]) => !key.startsWith('pods '))) };
  const calls = world.server.made.length;
  await world.look();
  expect(world.names).toEqual([]);
  expect(world.server.made.slice(calls)).toContain('list pods');
});

test('drivers of a previous schedule, whose runs were to stay, are left alone', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy: ConcurrencyPolicy.REPLACE });
  world.server.put('sparkapplications jobs/nightly-1', { metadata: { name: 'nightly-1', namespace: 'jobs', uid: 'orphan', creationTimestamp: '2026-03-01T09:00:00Z' }, spec: {} });
  world.setDriver('nightly-1', 'Running');
  await world.goOnUntil('2026-03-01T10:25:00Z');
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:20:00Z']);
  expect(world.server.leaving).toEqual([]);
});

test('a process that has replaced a run starts the new one even if it would not be caught up', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy: ConcurrencyPolicy.REPLACE, catchUpPolicy: CatchUpPolicy.NONE, startingDeadlineSeconds: 10 });
  const first = `nightly-${unix('2026-03-01T10:10:00Z')}`;
  await world.goOnUntil('2026-03-01T10:15:00Z');
  world.setDriver(first, 'Running');
  await world.goOnUntil('2026-03-01T10:25:00Z');
  world.restart();
  world.setDriver(first);
  await world.look();
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:20:00Z']);
});

test('known failure 14: an edited schedule counts at once, also where no operator saw the edit', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  await world.look();
  world.edit({ schedule: '0 12 * * *' });
  await world.look();
  expect(world.status.nextRun).toBe('2026-03-01T12:00:00Z');
  world.edit({ timeZone: 'Europe/Berlin' });
  await world.look();
  expect(world.status.nextRun).toBe('2026-03-01T11:00:00Z');

  world.edit({ schedule: '@every 1h' });
  world.clock.advance(2 * 3_600_000);
  world.restart();
  await world.look();
  expect(world.status.nextRun).toBe('2026-03-01T13:00:00Z');
  expect(world.runs).toEqual([]);
});

test('an edit of anything else changes nothing about the next run', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 1h' });
  await world.look();
  world.clock.advance(1_800_000);
  world.edit({ successfulRunHistoryLimit: 3 });
  expect(await world.look()).toBe(1_800_000);
  expect(world.status.nextRun).toBe('2026-03-01T11:00:00Z');
});

test('known failure 14: an invalid schedule reports why, lets runs continue, and recovers when it is valid', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 1h' });
  await world.goOnUntil('2026-03-01T11:30:00Z');
  world.edit({ timeZone: 'Europe/Belrin' });
  expect(await world.look()).toBeUndefined();
  expect(world.status).toMatchObject({
    scheduleState: 'FailedValidation', reason: 'spec.timeZone = "Europe/Belrin" is not a known time zone; write a name of the IANA database, such as Europe/Berlin or UTC', lastRun: '2026-03-01T11:00:00Z',
  });
  expect(world.status.nextRun).toBeUndefined();
  expect(world.names).toHaveLength(1);
  await world.look();
  expect(world.events.filter((event) => event.startsWith('ScheduledSparkApplicationInvalid'))).toHaveLength(1);

  world.edit({ timeZone: 'Europe/Berlin' });
  await world.look();
  expect(world.status).toMatchObject({ scheduleState: 'Scheduled', nextRun: '2026-03-01T12:30:00Z' });
  expect(world.status.reason).toBeUndefined();
});

test('a policy that a CRD of others lets pass is refused', async () => {
  const world = new World('2026-03-01T10:00:00Z', { concurrencyPolicy: 'forbid' as ConcurrencyPolicy });
  await world.look();
  expect(world.status).toMatchObject({ scheduleState: 'FailedValidation', reason: 'spec.concurrencyPolicy = "forbid" is unknown; write Allow, Forbid or Replace' });
});

test('a name that is too long for the label of its runs is refused', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  const { metadata, ...others } = world.schedule;
  const reason = planOf({ ...others, metadata: { ...metadata, name: 'n'.repeat(64) } }, [], { now: world.clock.now() });
  expect(reason).toEqual({ kind: 'invalid', reason: 'metadata.name has 64 characters, and its runs have it in a label, which holds 63; create the schedule under a shorter name' });
  expect(planOf({ ...others, metadata: { ...metadata, name: 'n'.repeat(63) } }, [], { now: world.clock.now() }).kind).toBe('planned');
});

test('while it is suspended nothing begins, and what would have been due then is not made up for', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '0 * * * *', catchUpPolicy: CatchUpPolicy.ALL });
  await world.goOnUntil('2026-03-01T11:30:00Z');
  world.edit({ suspend: true });
  expect(await world.look()).toBeUndefined();
  expect(world.status).toMatchObject({ scheduleState: 'Scheduled', reason: 'spec.suspend is true', conditions: [{ type: 'Suspended', status: 'True' }] });
  expect(world.status.nextRun).toBeUndefined();
  await world.goOnUntil('2026-03-01T15:30:00Z');
  expect(world.names).toHaveLength(1);

  world.edit({ suspend: false });
  await world.look();
  expect(world.status).toMatchObject({ nextRun: '2026-03-01T16:00:00Z', conditions: [{ type: 'Suspended', status: 'False', reason: 'Scheduled' }] });
  await world.goOnUntil('2026-03-01T16:30:00Z');
  expect(timesOf(world.runs)).toEqual(['2026-03-01T11:00:00Z', '2026-03-01T16:00:00Z']);
});

test('runs that have ended are kept up to the limits, and deleted as soon as one ends', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', successfulRunHistoryLimit: 2, failedRunHistoryLimit: 0 });
  await world.goOnUntil('2026-03-01T10:45:00Z');
  const names = world.names;
  const kept = async (name: string, state: string) => {
    world.setState(name, state);
    await world.look();
    return { names: world.names, ...world.status };
  };
  expect(await kept(names[0]!, 'FAILED')).toMatchObject({ names: names.slice(1) });
  expect(await kept(names[1]!, 'COMPLETED')).toMatchObject({ names: names.slice(1), pastSuccessfulRunNames: [names[1]] });
  expect(await kept(names[3]!, 'COMPLETED')).toMatchObject({ names: names.slice(1), pastSuccessfulRunNames: [names[3], names[1]] });
  expect(await kept(names[2]!, 'COMPLETED')).toMatchObject({ names: names.slice(2), pastSuccessfulRunNames: [names[3], names[2]] });
  expect(world.status.pastFailedRunNames).toBeUndefined();
});

test('a run that is being deleted, and has a finalizer of another controller, is not in the history and not deleted again', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m' });
  await world.goOnUntil('2026-03-01T10:25:00Z');
  const [first, second] = world.runs;
  world.server.put(`sparkapplications jobs/${first!.metadata.name}`, { ...first, metadata: { ...first!.metadata, deletionTimestamp: '2026-03-01T10:24:00Z' }, status: { applicationState: { state: 'COMPLETED' } } });
  world.setState(second!.metadata.name, 'COMPLETED');
  await world.look();
  expect(world.status.pastSuccessfulRunNames).toEqual([second!.metadata.name]);
  expect(world.server.made).not.toContain('delete sparkapplications');
});

test('a run that has ended and was changed since is not deleted', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', successfulRunHistoryLimit: 0 });
  await world.goOnUntil('2026-03-01T10:15:00Z');
  const [name] = world.names;
  world.setState(name!, 'COMPLETED');
  // The edit comes between the look into the cache and the deletion.
  world.server.onDelete = () => world.setState(name!, 'PENDING_RERUN');
  await world.look();
  expect(world.names).toEqual([name]);
});

test('if the API server drops fields of the status, an event reports it once', async () => {
  const world = new World('2026-03-01T10:00:00Z', { suspend: true });
  world.server.drops = ['observedGeneration', 'conditions', 'scheduleHash', 'lastRunNow'];
  await world.look();
  world.annotate({ 'sparkoperator.k8s.io/run-now': 'a' });
  for (let pass = 0; pass < 5; pass++) await world.look();
  expect(world.events.map((event) => event.split(':')[0])).toEqual(['ScheduledSparkApplicationSuspended', 'ScheduledRunNotStarted']);
});

test('runs that changed while they were to be deleted are reconciled again within moments', async () => {
  const world = new World('2026-03-01T10:00:00Z', { successfulRunHistoryLimit: 0 });
  await world.goOnUntil('2026-03-02T03:01:00Z');
  const [run] = world.runs;
  world.setState(run!.metadata.name, 'COMPLETED');
  world.server.onDelete = () => {
    world.server.onDelete = () => undefined;
    world.setState(run!.metadata.name, 'COMPLETED');
  };
  expect(await world.look()).toBe(1_000);
  expect(world.names).toHaveLength(1);
  await world.look();
  expect(world.names).toEqual([]);
});

test('however many runs have ended, those that are too many are deleted', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  await world.look();
  const ownerReferences = [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', name: 'nightly', uid: 'schedule' }];
  for (let number = 0; number < 1_200; number++) {
    const metadata = { name: `r${number}`, namespace: 'jobs', uid: `r${number}`, creationTimestamp: '2026-02-01T10:00:00Z', ownerReferences };
    world.server.put(`sparkapplications jobs/r${number}`, { metadata, spec: {}, status: { applicationState: { state: 'COMPLETED' } } });
  }
  await world.look();
  expect(world.names).toHaveLength(1);
});

test('runs have the labels of their schedule, but not the operator\'s and Spark\'s own', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  Object.assign(world.schedule.metadata, { labels: { 'sparkoperator.k8s.io/app-name': 'other', 'spark-role': 'driver', 'spark-app-selector': 'x', 'kueue.x-k8s.io/queue-name': 'q' } });
  await world.goOnUntil('2026-03-02T03:00:05Z');
  expect(world.runs[0]!.metadata.labels).toEqual({ 'kueue.x-k8s.io/queue-name': 'q', 'sparkoperator.k8s.io/scheduled-app-name': 'nightly' });
});

test('what cannot be created is tried again, with the reason in the status', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  await world.look();
  world.clock.advance(17 * 3_600_000);
  world.server.refuse = (call) => {
    if (call === 'create sparkapplications') throw world.server.error('create', { plural: 'sparkapplications' } as never, { name: 'x' }, 403, 'Forbidden', 'exceeded quota: objects');
  };
  expect(await world.look()).toBe(15_000);
  expect(world.status).toMatchObject({ nextRun: '2026-03-02T03:00:00Z', conditions: [{ type: 'Waiting', status: 'True', reason: 'CannotStart', message: expect.stringContaining('exceeded quota') }] });
  expect(world.events.at(-1)).toMatch(/^ScheduledRunNotStarted: nightly-\d+, the run of .*, could not be started and is tried again: the API server does not create SparkApplication/);
  world.clock.advance(15_000);
  world.server.refuse = () => undefined;
  await world.look();
  expect(timesOf(world.runs)).toEqual(['2026-03-02T03:00:00Z']);
  expect(world.status).toMatchObject({ nextRun: '2026-03-03T03:00:00Z', conditions: [{ type: 'Waiting', status: 'False' }] });
});

test('an application of another owner with the same name is left alone', async () => {
  const world = new World('2026-03-01T10:00:00Z');
  await world.look();
  const name = `nightly-${unix('2026-03-02T03:00:00Z')}`;
  world.server.put(`sparkapplications jobs/${name}`, { metadata: { name, namespace: 'jobs', uid: 'foreign', creationTimestamp: '2026-03-01T10:00:00Z' }, spec: {} });
  await world.goOnUntil('2026-03-02T03:00:20Z');
  expect(world.status.conditions).toMatchObject([{ reason: 'CannotStart', message: `a SparkApplication ${name} exists that does not belong to this schedule; delete it` }]);
  world.server.objects.delete(`sparkapplications jobs/${name}`);
  await world.goOnUntil('2026-03-02T03:00:50Z');
  expect(timesOf(world.runs)).toEqual(['2026-03-02T03:00:00Z']);
});

test('a schedule whose status another operator writes is left alone for a while', async () => {
  const world = new World('2026-03-02T02:59:50Z');
  await world.look();
  world.writeAs('spark-operator');
  world.clock.advance(10_000);
  expect(await world.look()).toBe(30_000);
  expect(world.events.slice(1)).toEqual([
    'ScheduledSparkApplicationContended: Another operator also manages ScheduledSparkApplication nightly: spark-operator has written the status '
      + 'after this operator. This one leaves it alone for 30 s',
  ]);
  expect(world.names).toEqual([]);
  world.clock.advance(30_000);
  await world.look();
  expect(world.names).toEqual([`nightly-${unix('2026-03-02T03:00:00Z')}`]);
});
