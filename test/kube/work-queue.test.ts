import * as fc from 'fast-check';
import { WorkQueue } from '../../src/kube/work-queue';
import { cpuTime } from '../helpers/cpu-time';
import { ManualClock, settle } from './helpers/manual-clock';

const newQueue = (options = {}) => {
  const clock = new ManualClock();
  return { clock, queue: new WorkQueue({ clock, random: () => 0, ...options }) };
};

describe('a work queue', () => {
  test('hands out keys in the order of their addition, each once', async () => {
    const { queue } = newQueue();
    ['a', 'b', 'a', 'c', 'b'].forEach((key) => queue.add(key));
    expect(queue.depth).toBe(3);
    expect([await queue.get(), await queue.get(), await queue.get()]).toEqual(['a', 'b', 'c']);
    expect(queue.depth).toBe(0);
    expect(queue.running).toBe(3);
  });

  test('hands out urgent keys first, and one of the others every fourth time', async () => {
    const { queue } = newQueue({ isUrgent: (key: string) => key.startsWith('u') });
    ['a', 'b', 'u1', 'u2', 'u3', 'u4', 'u5', 'c'].forEach((key) => queue.add(key));
    const order: (string | undefined)[] = [];
    while (queue.depth > 0) {
      order.push(await queue.get());
      queue.done(order.at(-1)!);
    }
    expect(order).toEqual(['u1', 'u2', 'u3', 'a', 'u4', 'u5', 'b', 'c']);
  });

  test('lets namespaces take turns, among urgent keys and among the others', async () => {
    const { queue } = newQueue({ isUrgent: (key: string) => key.includes('/u') });
    ['big/a1', 'big/a2', 'big/a3', 'big/u1', 'big/u2', 'big/u3', 'big/u4', 'small/u1', 'small/a1', 'other/a1'].forEach((key) => queue.add(key));
    const order: (string | undefined)[] = [];
    while (queue.depth > 0) {
      order.push(await queue.get());
      queue.done(order.at(-1)!);
    }
    expect(order).toEqual(['big/u1', 'small/u1', 'big/u2', 'big/a1', 'big/u3', 'big/u4', 'small/a1', 'other/a1', 'big/a2', 'big/a3']);
  });

  test('reserves most workers for urgent keys while there are any', async () => {
    const { queue } = newQueue({ isUrgent: (key: string) => key.startsWith('u') });
    for (let index = 0; index < 20; index++) queue.add(`slow${index}`);
    for (let index = 0; index < 40; index++) queue.add(`u${index}`);
    const taken: (string | undefined)[] = [];
    const waiting = Array.from({ length: 10 }, () => queue.get().then((key) => taken.push(key)));
    await Promise.all(waiting);
    // Slow workers are busy while the others come and go.
    for (let turn = 0; turn < 20; turn++) {
      queue.done(taken.filter((key) => key!.startsWith('u')).at(-1)!);
      taken.push(await queue.get());
    }
    expect(taken.filter((key) => key!.startsWith('slow'))).toHaveLength(2);
    queue.done('slow0');
    taken.push(await queue.get(), await queue.get());
    expect(taken.filter((key) => key!.startsWith('slow'))).toHaveLength(3);
  });

  test('counts turns of urgent keys also when idle workers wait in between', async () => {
    const { queue } = newQueue({ isUrgent: (key: string) => key.startsWith('u') });
    ['a', 'b', 'u1', 'u2', 'u3', 'u4'].forEach((key) => queue.add(key));
    const taken = await Promise.all(Array.from({ length: 4 }, () => queue.get()));
    expect(taken).toEqual(['u1', 'u2', 'u3', 'a']);
    const next = queue.get();
    queue.done('u1');
    expect(await next).toBe('u4');
  });

  test('lets workers wait for a key', async () => {
    const { queue } = newQueue();
    const first = queue.get();
    const second = queue.get();
    queue.add('a');
    queue.add('b');
    expect(await first).toBe('a');
    expect(await second).toBe('b');
  });

  test('holds a key back while a worker has it, and hands it out again afterwards', async () => {
    const { queue } = newQueue();
    queue.add('a');
    await queue.get();
    queue.add('a');
    queue.add('a');
    expect(queue.depth).toBe(0);
    queue.done('a');
    expect(queue.depth).toBe(1);
    expect(await queue.get()).toBe('a');
    queue.done('a');
    expect(queue.depth).toBe(0);
  });

  test('adds a key later; the earliest time applies', () => {
    const { clock, queue } = newQueue();
    queue.addAfter('a', 1_000);
    queue.addAfter('a', 500);
    queue.addAfter('a', 2_000);
    expect(queue.delayed).toBe(1);
    clock.advance(499);
    expect(queue.depth).toBe(0);
    clock.advance(1);
    expect(queue.depth).toBe(1);
    expect(clock.pending).toBe(0);
  });

  test('accepts a delay of a year, which exceeds a timer\'s maximum, and rejects NaN', () => {
    const { clock, queue } = newQueue();
    queue.addAfter('a', 365 * 24 * 3_600_000);
    expect(clock.untilNext).toBe(2 ** 31 - 1);
    queue.addAfter('b', Infinity);
    expect(() => queue.addAfter('c', NaN)).toThrow(RangeError);
    queue.addAfter('d', -5);
    expect(queue.depth).toBe(1);
  });

  test('doubles the delay for each failure up to a limit, and resets it after success', () => {
    const { clock, queue } = newQueue({ minBackoff: 5, maxBackoff: 60_000 });
    const delayOfNextFailure = () => {
      queue.addRateLimited('a');
      const delay = clock.untilNext;
      clock.advance(60_000);
      return delay;
    };
    expect([1, 2, 3, 4].map(delayOfNextFailure)).toEqual([5, 10, 20, 40]);
    for (let i = 0; i < 2_000; i++) queue.addRateLimited('a');
    clock.advance(60_000);
    expect(delayOfNextFailure()).toBe(60_000);
    queue.forget('a');
    expect(delayOfNextFailure()).toBe(5);
  });

  test('subtracts up to half of the delay as jitter, and adds up to half to a minimum', () => {
    const { clock, queue } = newQueue({ minBackoff: 1_000, random: () => 0.5 });
    queue.addRateLimited('a');
    expect(clock.untilNext).toBe(750);
    clock.advance(1_000);
    queue.addRateLimited('b', 7_000);
    expect(clock.untilNext).toBe(8_750);
  });

  test('after shutdown releases workers, drops waiting keys, and reports when the last worker is done', async () => {
    const { clock, queue } = newQueue();
    queue.add('a');
    await queue.get();
    const waitingWorker = queue.get();
    queue.addAfter('b', 10);
    queue.shutdown();
    queue.add('c');
    queue.addAfter('d', 10);
    queue.addRateLimited('e');
    expect(await waitingWorker).toBeUndefined();
    expect(await queue.get()).toBeUndefined();
    expect(clock.pending).toBe(0);

    let drained = false;
    const draining = queue.drained().then(() => { drained = true; });
    await settle();
    expect(drained).toBe(false);
    queue.done('a');
    await draining;
  });

  test('reports how long keys wait and how long workers have them', async () => {
    const seen: [string, number?][] = [];
    const { clock, queue } = newQueue({
      hooks: {
        onAdd: () => seen.push(['add']),
        onStart: (seconds: number) => seen.push(['start', seconds]),
        onDone: (seconds: number) => seen.push(['done', seconds]),
        onAddLater: () => seen.push(['add later']),
      },
    });
    queue.add('a');
    clock.advance(2_000);
    await queue.get();
    clock.advance(3_000);
    queue.add('b');
    await queue.get();
    clock.advance(1_000);
    expect([queue.longestRunning, queue.unfinished]).toEqual([4_000, 5_000]);
    queue.done('a');
    queue.done('b');
    queue.addRateLimited('a');
    queue.addAfter('b', 60_000);
    expect(seen).toEqual([['add'], ['start', 2], ['add'], ['start', 0], ['done', 4], ['done', 1], ['add later'], ['add later']]);
    expect([queue.longestRunning, queue.unfinished]).toEqual([0, 0]);
  });

  test('stays quick with many keys', async () => {
    const queue = new WorkQueue();
    for (let i = 0; i < 200_000; i++) queue.add(`ns/${i}`);
    const took = cpuTime();
    for (let i = 0; i < 200_000; i++) queue.done((await queue.get())!);
    // Far above what it takes, far below what quadratic behaviour would take.
    expect(took()).toBeLessThan(5_000);
  });
});

describe('a work queue, whatever is added to it', () => {
  const namespaces = ['n1', 'n2', 'n3', 'n4'];
  const batch = fc.array(fc.record({ namespace: fc.constantFrom(...namespaces), name: fc.nat(6), isUrgent: fc.boolean() }), { maxLength: 12 });
  const isUrgent = (key: string) => key.includes('/u');

  test('delays a namespace with one key by at most one key of each other namespace', async () => {
    await fc.assert(fc.asyncProperty(fc.array(batch, { maxLength: 12 }), async (batches) => {
      const { queue } = newQueue({ isUrgent });
      // For each namespace and urgency: maximum number of other keys of that urgency before its
      // next.
      const left = new Map<string, number>();
      const waiting = new Map<string, Set<string>>();
      const lineOf = (key: string) => `${key.split('/')[0]} ${isUrgent(key)}`;
      const others = (line: string) => [...waiting.keys()].filter((each) => each !== line && each.endsWith(line.split(' ')[1]!));
      const take = async () => {
        const key = (await queue.get())!;
        queue.done(key);
        const line = lineOf(key);
        const keys = waiting.get(line)!;
        expect(keys.delete(key)).toBe(true);
        for (const other of others(line)) {
          left.set(other, left.get(other)! - 1);
          expect(left.get(other)).toBeGreaterThanOrEqual(0);
        }
        if (keys.size === 0) waiting.delete(line);
        left.set(line, others(line).length);
      };
      for (const keys of batches) {
        for (const { namespace, name, isUrgent: urgent } of keys) {
          const key = `${namespace}/${urgent ? 'u' : 'o'}${name}`;
          const line = lineOf(key);
          if (!waiting.has(line)) left.set(line, others(line).length);
          waiting.set(line, (waiting.get(line) ?? new Set()).add(key));
          queue.add(key);
        }
        if (queue.depth > 0) await take();
      }
      while (queue.depth > 0) await take();
      expect(waiting.size).toBe(0);
    }), { numRuns: 150 });
  });
});

describe('a work queue, whatever is done to it', () => {
  const key = fc.constantFrom('n1/a', 'n1/b', 'n2/a', 'n3/a');
  const command = fc.oneof(
    fc.record({ do: fc.constant('add' as const), key }),
    fc.record({ do: fc.constant('addAfter' as const), key, ms: fc.integer({ min: -1, max: 30 }) }),
    fc.record({ do: fc.constant('fail' as const), key }),
    fc.record({ do: fc.constant('take' as const) }),
    fc.record({ do: fc.constant('finish' as const), worker: fc.nat(3) }),
    fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 20 }) }),
  );

  test('never gives a key to two workers, loses none, and keeps the delays', async () => {
    await fc.assert(fc.asyncProperty(fc.array(command, { maxLength: 60 }), fc.nat(), async (commands, seed) => {
      const clock = new ManualClock(0);
      const random = () => (seed % 97) / 97;
      const queue = new WorkQueue({ clock, random, minBackoff: 4, maxBackoff: 16 });
      const held: string[] = [];
      // Model: keys to hand out now, and times of later ones.
      const due = new Set<string>();
      const later = new Map<string, number>();
      const delay = (k: string, ms: number) => {
        if (ms <= 0) due.add(k);
        else later.set(k, Math.min(clock.now() + ms, later.get(k) ?? Infinity));
      };
      const passTime = () => {
        for (const [k, time] of later) {
          if (time <= clock.now()) {
            later.delete(k);
            due.add(k);
          }
        }
      };
      let idle = 0;
      const problems: unknown[] = [];
      const take = async () => {
        idle++;
        const got = await queue.get();
        idle--;
        if (got === undefined) return;
        expect(held).not.toContain(got);
        passTime();
        expect(due).toContain(got);
        due.delete(got);
        held.push(got);
      };
      const check = async () => {
        await settle();
        expect(problems).toEqual([]);
        passTime();
        const free = [...due].filter((k) => !held.includes(k));
        // No worker is idle while there is a key for it.
        expect(idle === 0 || free.length === 0).toBe(true);
        expect(queue.depth).toBe(free.length);
        expect(queue.delayed).toBe(later.size);
      };

      for (const step of commands) {
        switch (step.do) {
          case 'add':
            due.add(step.key);
            queue.add(step.key);
            break;
          case 'addAfter':
            delay(step.key, step.ms);
            queue.addAfter(step.key, step.ms);
            break;
          case 'fail':
            delay(step.key, Math.min(16, 4 * 2 ** queue.failures(step.key)) * (1 - random() / 2));
            queue.addRateLimited(step.key);
            break;
          case 'take':
            if (held.length + idle < 3) take().catch((error) => problems.push(error));
            break;
          case 'finish':
            if (held.length > 0) queue.done(held.splice(step.worker % held.length, 1)[0]!);
            break;
          case 'advance':
            await clock.advanceAsync(step.ms);
            break;
        }
        await check();
      }

      // In the end every added key is handed out.
      for (let round = 0; round < 10 && (due.size + later.size + held.length > 0); round++) {
        held.splice(0).forEach((k) => queue.done(k));
        await clock.advanceAsync(100);
        while (queue.depth > 0 && held.length < 3) {
          take().catch((error) => problems.push(error));
          await settle();
        }
        await settle();
      }
      expect([...due, ...later.keys(), ...held]).toEqual([]);
      expect(problems).toEqual([]);
      queue.shutdown();
    }), { numRuns: 150 });
  });
});
