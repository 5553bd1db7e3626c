/* The results of the last runs, which the status of a schedule keeps after the runs are deleted. */
import { World } from './world';

const resultsOf = ({ status }: World) => status.runHistory?.map(({ result }) => result[0]).join('') ?? '';
const writesOf = ({ server }: World) => server.made.filter((call) => call === 'update scheduledsparkapplications').length;

/** Lets the next run begin and end. */
async function run(world: World, state: 'COMPLETED' | 'FAILED' = 'COMPLETED', errorMessage?: string): Promise<string> {
  await world.goOnUntil(world.clock.now() + 600_000);
  await world.look();
  const name = world.status.lastRunName!;
  const found = world.server.objects.get(`sparkapplications jobs/${name}`);
  world.server.put(`sparkapplications jobs/${name}`, {
    ...found, status: { applicationState: { state, errorMessage }, driverInfo: {}, terminationTime: '2026-03-01T12:00:00Z' },
  });
  await world.look();
  return name;
}

test('the results of deleted runs stay, with the cause of each failure', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m' });
  await run(world);
  const failed = await run(world, 'FAILED', `boom${'!'.repeat(200)}`);
  await run(world, 'FAILED', 'again');
  await run(world);
  // The limits of the history keep one run of each result.
  expect(world.runs).toHaveLength(2);
  expect(resultsOf(world)).toBe('CFFC');
  expect(world.status.runHistory![1]).toEqual({
    name: failed, scheduledTime: '2026-03-01T10:20:00Z', startTime: '2026-03-01T10:20:00Z', endTime: '2026-03-01T12:00:00Z', result: 'Failed',
    cause: `boom${'!'.repeat(95)}…`,
  });
});

test('a cause is shortened before its length is limited', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m' });
  await run(world, 'FAILED', 'driver does not start: ImagePullBackOff: Back-off pulling image "a/b:9": ErrImagePull: failed to pull and unpack image "a/b:9": a/b:9: not found');
  expect(world.status.runHistory![0]!.cause).toBe('ImagePullBackOff: the registry does not have the image a/b:9');
});

test('the latest 20 are kept', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m' });
  for (let index = 0; index < 25; index++) await run(world, index % 4 === 0 ? 'FAILED' : 'COMPLETED');
  expect(resultsOf(world)).toBe('CCCFCCCFCCCFCCCFCCCF');
});

test.each([
  ['no more writes than the begin and the end of a run need', 1],
  ['one write before a run is deleted that would leave no trace', 0],
])('%s', async (_, successfulRunHistoryLimit) => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', successfulRunHistoryLimit });
  await run(world);
  const before = writesOf(world);
  for (let index = 0; index < 5; index++) await run(world);
  expect({ writes: writesOf(world) - before, results: resultsOf(world), runs: world.runs.length }).toEqual({
    writes: 10, results: 'CCCCCC', runs: successfulRunHistoryLimit,
  });
});

test('a schedule that an older version reconciled needs no write of its own', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m' });
  await run(world);
  const { runHistory: _, ...status } = world.schedule.status!;
  world.setStatus(status);
  const before = writesOf(world);
  await world.look();
  expect(writesOf(world)).toBe(before);
  await run(world, 'FAILED');
  expect(resultsOf(world)).toBe('CF');
});

test('a run that its user runs again has its latest result', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m' });
  const name = await run(world, 'FAILED', 'boom');
  world.setState(name, 'RUNNING');
  await world.look();
  expect(resultsOf(world)).toBe('');
  world.setState(name, 'COMPLETED');
  await world.look();
  expect(resultsOf(world)).toBe('C');
});
