/* Several queues that share their workers. */
import { Dispatcher } from '../../src/kube/dispatcher';
import { WorkQueue } from '../../src/kube/work-queue';
import { cpuTime } from '../helpers/cpu-time';
import { ManualClock, settle } from './helpers/manual-clock';

const isUrgent = (key: string) => key.startsWith('u');

/** Returns queues, each with as many workers as the dispatcher's limit of concurrent keys. */
function start(most: number, count = 2) {
  const dispatcher = new Dispatcher(most);
  const queues = Array.from({ length: count }, () => new WorkQueue({ clock: new ManualClock(), dispatcher, isUrgent }));
  const taken: string[] = [];
  const owners = new Map<string, WorkQueue>();
  const work = async (queue: WorkQueue) => {
    const key = await queue.get();
    if (key === undefined) return;
    taken.push(key);
    owners.set(key, queue);
  };
  for (const queue of queues) for (let worker = 0; worker < most; worker++) void work(queue);
  const done = async (key: string) => {
    const queue = owners.get(key)!;
    queue.done(key);
    void work(queue);
    await settle();
  };
  return {
    queues, taken, done,
    add: async (index: number, ...keys: string[]) => { keys.forEach((key) => queues[index]!.add(key)); await settle(); },
  };
}

test('the dispatcher bounds concurrent keys of all queues, and queues take turns', async () => {
  const { queues, taken, add, done } = start(2);
  await add(0, 'a1', 'a2', 'a3', 'a4');
  await add(1, 'b1', 'b2');
  expect([taken, queues.map(({ depth }) => depth)]).toEqual([['a1', 'a2'], [2, 2]]);
  for (const key of ['a1', 'a2', 'b1', 'a3']) await done(key);
  expect(taken).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('urgent keys of all queues take precedence; the others get every fourth turn and at most a fifth of all workers', async () => {
  const { taken, add, done } = start(10, 5);
  await add(0, ...Array.from({ length: 10 }, (_, index) => `u-first${index}`));
  for (const index of [0, 1, 2]) await add(index, ...Array.from({ length: 10 }, (_, number) => `slow${index}${number}`));
  for (const index of [3, 4]) await add(index, ...Array.from({ length: 20 }, (_, number) => `u${index}${number}`));
  // Slow ones are still running while the others come and go.
  for (let turn = 0; turn < 30; turn++) await done(taken.filter((key) => isUrgent(key))[turn]!);
  expect(taken).toHaveLength(40);
  expect(taken.slice(10).map(isUrgent).slice(0, 5)).toEqual([true, true, true, false, true]);
  expect(taken.filter((key) => !isUrgent(key))).toHaveLength(2);
});

test('a removed queue hands out no more keys, and its running keys occupy workers until they are done', async () => {
  const { queues: [first], taken, add, done } = start(2);
  await add(0, 'a1', 'a2', 'a3');
  await add(1, 'b1', 'b2');
  first!.shutdown();
  expect(taken).toEqual(['a1', 'a2']);
  await done('a1');
  expect(taken).toEqual(['a1', 'a2', 'b1']);
  await done('a2');
  expect(taken).toEqual(['a1', 'a2', 'b1', 'b2']);
  await first!.drained();
});

test('the dispatcher forgets a removed queue: each term of a leader has its own', async () => {
  const dispatcher = new Dispatcher(1);
  const [join, quit] = [jest.spyOn(dispatcher, 'join'), jest.spyOn(dispatcher, 'quit')];
  new WorkQueue({ dispatcher }).shutdown();
  expect(quit.mock.calls).toEqual(join.mock.calls);
});

test('stays quick with many queues', async () => {
  const dispatcher = new Dispatcher(10);
  const queues = Array.from({ length: 256 }, () => new WorkQueue({ dispatcher }));
  for (let index = 0; index < 25_600; index++) queues[index % 256]!.add(`ns/${index}`);
  const took = cpuTime();
  await Promise.all(queues.map(async (queue) => {
    for (let index = 0; index < 100; index++) queue.done((await queue.get())!);
  }));
  // Far more than it takes.
  expect(took()).toBeLessThan(5_000);
});
