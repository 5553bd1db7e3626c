import { Runs } from '../../../src/operator/driver/runs';

/** A run that the test ends. */
function work() {
  let finish!: (result: string) => void;
  let signal!: AbortSignal;
  const result = new Promise<string>((resolve) => { finish = resolve; });
  return { run: (given: AbortSignal) => { signal = given; return result; }, finish, aborted: () => signal.aborted };
}

test('a run starts once, continues in the background, enqueues its application at the end, and returns its result once', async () => {
  const ended: string[] = [];
  const runs = new Runs<string>((key) => void ended.push(key));
  const first = work();

  expect(runs.startOrFetch('jobs/pi', 's1', first.run)).toBe('begun');
  expect(runs.startOrFetch('jobs/pi', 's1', first.run)).toBe('running');
  first.finish('done');
  await Promise.resolve().then(() => undefined);
  expect(ended).toEqual(['jobs/pi']);
  expect(runs.startOrFetch('jobs/pi', 's1', first.run)).toEqual({ result: 'done' });
  expect(runs.startOrFetch('jobs/pi', 's1', work().run)).toBe('begun');
});

test('another submission of the same application aborts the previous run and drops its result', async () => {
  const ended: string[] = [];
  const runs = new Runs<string>((key) => void ended.push(key));
  const [before, now] = [work(), work()];
  runs.startOrFetch('jobs/pi', 's1', before.run);

  expect(runs.startOrFetch('jobs/pi', 's2', now.run)).toBe('begun');
  expect(before.aborted()).toBe(true);
  before.finish('late');
  await Promise.resolve().then(() => undefined);
  expect(ended).toEqual([]);
  expect(runs.startOrFetch('jobs/pi', 's2', now.run)).toBe('running');
});

test('a deletion of the application and a shutdown abort runs; after a shutdown, no run starts', async () => {
  const runs = new Runs<string>(() => undefined);
  const [gone, other] = [work(), work()];
  runs.startOrFetch('jobs/gone', 's1', gone.run);
  runs.startOrFetch('jobs/other', 's1', other.run);

  expect([runs.has('jobs/gone', 's1'), runs.has('jobs/gone', 's2')]).toEqual([true, false]);
  runs.forget('jobs/gone');
  expect([gone.aborted(), other.aborted()]).toEqual([true, false]);
  const stopped = runs.stop();
  expect(other.aborted()).toBe(true);
  expect(runs.startOrFetch('jobs/late', 's1', work().run)).toBe('running');
  // The operator stops when they have ended.
  other.finish('ended');
  gone.finish('ended');
  await stopped;
});
