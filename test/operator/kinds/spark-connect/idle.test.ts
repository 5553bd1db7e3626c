/* SparkConnects that are deleted when idle. */
import { PODS, SPARK_CONNECTS } from '../../../../src/model/resources';
import { World } from './operator';

const exists = (world: World) => world.api.find(SPARK_CONNECTS, { namespace: 'jobs', name: 'nb' }) !== undefined;

test('it is deleted after its time without a session; an open or ended session in between restarts the time', async () => {
  const world = new World({ idleTimeToLiveSeconds: 60 });
  world.sessions = { online: 1 };
  await world.ready();
  await world.goesOn(600_000, 5_000);
  expect(world.status.idleSince).toBeUndefined();
  world.sessions = { online: 0 };
  await world.goesOn(6_000);
  const { idleSince } = world.status;
  expect(idleSince).toMatch(/^2026-03-01T10:10:0[1-6]Z$/);
  await world.goesOn(50_000);
  expect(world.status.idleSince).toBe(idleSince);
  world.sessions = { online: 0, begun: 2 };
  await world.goesOn(6_000);
  expect(world.status.idleSince).toMatch(/^2026-03-01T10:1[01]/);
  expect(world.status.idleSince).not.toBe(idleSince);
  await world.goesOn(50_000);
  expect(exists(world)).toBe(true);
  await world.clock.advance(11_000);
  // The deletion is reported afterwards.
  await world.pass();
  await world.pass();
  expect(exists(world)).toBe(false);
  expect(world.reasons.filter((reason) => reason === 'SparkConnectIdle')).toHaveLength(1);
});

test.each<[string, (world: World) => Promise<void>]>([
  ['is replaced', async (world) => world.edit({ image: 'other' })],
  ['has crashed', async (world) => world.ends(1)],
  ['was deleted', async (world) => world.api.remove(PODS, { namespace: 'jobs', name: 'nb-server' })],
  ['did not take connections for a while', async (world) => world.node({ conditions: [{ type: 'Ready', status: 'False' }] })],
  ['did not answer for a while', async (world) => {
    const { sessions } = world;
    world.sessions = undefined;
    await world.goesOn(60_000, 5_000);
    expect(world.condition('SessionsKnown')).toMatchObject({ status: 'False' });
    expect(world.status.idleSince).toBeUndefined();
    world.sessions = sessions;
  }],
  ['is watched by another operator', async (world) => world.newOperator()],
  ['was not watched for a while', async (world) => void await world.clock.advance(120_000)],
  ['had its node\'s or the operator\'s clock set', async (world) => { world.jump = 7_200_000; }],
])('a server that %s gets its whole time, because its sessions are unknown', async (_, happens) => {
  const world = new World({ idleTimeToLiveSeconds: 100 });
  world.sessions = { online: 0 };
  await world.ready();
  await world.goesOn(80_000, 5_000);
  expect(world.status.idleSince).toBeDefined();
  const begun = world.clock.monotonic();
  await happens(world);
  await world.settle();
  if (!world.jump && world.status.state !== 'Ready') expect(world.status.idleSince).toBeUndefined();
  for (let waited = 0; waited < 60_000 && world.status.state !== 'Ready'; waited += 5_000) {
    await world.after(5_000);
    if (world.pod) world.takesConnections();
    await world.settle();
  }
  await world.goesOn(world.jump ? 10_000 : 80_000, 5_000);
  expect(exists(world)).toBe(true);
  // Until its time has passed, too.
  for (let waited = 0; waited < 200_000 && exists(world); waited += 5_000) {
    await world.clock.advance(5_000), await world.pass(), await world.pass();
  }
  expect(exists(world)).toBe(false);
  expect(world.clock.monotonic() - begun).toBeLessThan(300_000);
});

test('one that is edited at the end of its time is not deleted, and no event is recorded', async () => {
  const world = new World({ idleTimeToLiveSeconds: 10 });
  world.sessions = { online: 0 };
  await world.ready();
  await world.goesOn(9_000);
  let asked = 0;
  world.api.refuse = (call) => {
    // Its user is faster.
    if (call === 'delete sparkconnects' && asked++ === 0) world.edit({ idleTimeToLiveSeconds: 3_600 });
  };
  const pass = () => world.pass().catch((error: Error) => expect(error.message).toContain('Conflict'));
  for (let second = 0; second < 10; second++) {
    await world.clock.advance(1_000);
    await pass();
    await pass();
  }
  expect(asked).toBe(1);
  expect(exists(world)).toBe(true);
  expect(world.reasons).not.toContain('SparkConnectIdle');
});

describe('with a session that was opened after the last reading', () => {
  /**
   * The time has passed by an answer that the reconciler has not fetched yet. Then a session is
   * opened.
   */
  const almostDeleted = async () => {
    const world = new World({ idleTimeToLiveSeconds: 100 });
    world.sessions = { online: 0 };
    await world.ready();
    await world.goesOn(99_000);
    world.clock.advance(11_000);
    await world.pass();
    world.sessions = { online: 1, begun: 2 };
    return world;
  };

  test('a late pass does not delete it', async () => {
    const world = await almostDeleted();
    world.clock.advance(90_000);
    await world.pass();
    await world.goesOn(60_000, 5_000);
    expect(exists(world)).toBe(true);
    expect(world.status.idleSince).toBeUndefined();
  });

  test('a slow status write prevents the deletion', async () => {
    const world = await almostDeleted();
    const { updateStatus } = world.api;
    let writes = 0;
    world.api.updateStatus = async (kind, object) => {
      writes++;
      world.clock.advance(10_000);
      return updateStatus.call(world.api, kind, object);
    };
    // So that there is a change to write.
    world.edit({ restartPolicy: { type: 'Always' } });
    await world.pass();
    expect(writes).toBe(1);
    await world.goesOn(60_000, 5_000);
    expect(exists(world)).toBe(true);
  });
});

test('unknown sessions are reported once, and nothing is deleted', async () => {
  const world = new World({ idleTimeToLiveSeconds: 10 });
  await world.ready();
  await world.goesOn(600_000, 5_000);
  expect(world.connect).toBeDefined();
  expect(world.condition('SessionsKnown')).toMatchObject({ status: 'False', message: expect.stringContaining('does not answer') });
  expect(world.reasons.filter((reason) => reason === 'SparkConnectSessionsUnknown')).toHaveLength(1);
  world.sessions = { online: 1 };
  await world.goesOn(60_000, 5_000);
  expect(world.condition('SessionsKnown')).toBeUndefined();
});
