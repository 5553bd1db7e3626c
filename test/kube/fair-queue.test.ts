import * as fc from 'fast-check';
import { FairQueue } from '../../src/kube/fair-queue';
import { cpuTime } from '../helpers/cpu-time';

function drain<T>(queue: FairQueue<T>): T[] {
  const items: T[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

test('groups take turns, and each keeps the order of its items', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) queue.push(item[0]!, item);
  expect([queue.size, queue.sizeOf('a'), queue.sizeOf('d')]).toEqual([7, 4, 0]);
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('a group that was served and emptied waits behind the others', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'b1', 'b2', 'c1']) queue.push(item[0]!, item);
  expect(queue.shift()).toBe('a1');
  queue.push('a', 'a2');
  expect(drain(queue)).toEqual(['b1', 'c1', 'a2', 'b2']);
});

test('the largest group gives its first item, however small the others are', () => {
  const queue = new FairQueue<string>();
  expect(queue.shiftLargest()).toBeUndefined();
  for (const item of ['a1', 'b1', 'b2', 'b3', 'c1', 'c2']) queue.push(item[0]!, item);
  expect([queue.shiftLargest(), queue.shiftLargest()]).toEqual(['b1', 'b2']);
  expect([queue.size, queue.sizeOf('b')]).toEqual([4, 1]);
  expect(drain(queue)).toEqual(['a1', 'b3', 'c1', 'c2']);
  queue.push('d', 'd1');
  expect([queue.shiftLargest(), queue.size]).toEqual(['d1', 0]);
  queue.push('d', 'd2');
  expect(drain(queue)).toEqual(['d2']);
});

test('a group that is not ready loses its turn, and no item', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'b1', 'b2', 'c1']) queue.push(item[0]!, item);
  expect(queue.shift((group) => group === 'b')).toBe('b1');
  expect(queue.shift(() => false)).toBeUndefined();
  expect([queue.size, drain(queue)]).toEqual([3, ['c1', 'a1', 'b2']]);
});

type Step = { readonly do: 'push' | 'delete'; readonly group: string; readonly item: number } | { readonly do: 'shift' };

const item = { group: fc.constantFrom('a', 'b', 'c', 'd'), item: fc.nat(5) };
const steps = fc.array(fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ do: fc.constant('push' as const), ...item }),
  fc.record({ do: fc.constant('delete' as const), ...item }),
  fc.constant({ do: 'shift' as const }),
), { maxLength: 80 });

test('loses nothing, and the first item of a group waits for at most one item of each other group', () => {
  fc.assert(fc.property(steps, (all) => {
    const queue = new FairQueue<string>();
    // Model: the items of each group, and the maximum number of other items before its first.
    const groups = new Map<string, { readonly items: string[]; left: number }>();
    for (const step of all) {
      if (step.do === 'shift') {
        const got = queue.shift();
        expect(got === undefined).toBe(groups.size === 0);
        if (got === undefined) continue;
        const name = got.split('/')[0]!;
        const group = groups.get(name)!;
        expect(group.items.shift()).toBe(got);
        for (const [other, waiting] of groups) if (other !== name) expect(--waiting.left).toBeGreaterThanOrEqual(0);
        group.left = groups.size - 1;
        if (group.items.length === 0) groups.delete(name);
      } else {
        const text = `${step.group}/${step.item}`;
        const group = groups.get(step.group);
        if (step.do === 'push') {
          queue.push(step.group, text);
          if (!group) groups.set(step.group, { items: [text], left: groups.size });
          else if (!group.items.includes(text)) group.items.push(text);
        } else {
          queue.delete(step.group, text);
          if (group?.items.includes(text)) group.items.splice(group.items.indexOf(text), 1);
          if (group?.items.length === 0) groups.delete(step.group);
        }
      }
      expect(queue.size).toBe([...groups.values()].reduce((sum, { items }) => sum + items.length, 0));
      for (const name of ['a', 'b', 'c', 'd']) expect(queue.sizeOf(name)).toBe(groups.get(name)?.items.length ?? 0);
    }
    queue.clear();
    expect([queue.size, queue.shift()]).toEqual([0, undefined]);
  }));
});

test.each([
  ['one group of 200,000', 1],
  ['200,000 groups of one', 200_000],
])('stays quick with %s items', (_, groups) => {
  const queue = new FairQueue<number>();
  const took = cpuTime();
  for (let index = 0; index < 200_000; index++) queue.push(String(index % groups), index);
  // Keeps the queue non-empty.
  for (let index = 0; index < 200_000; index++) {
    const next = queue.shift()!;
    queue.push(String(next % groups), next);
  }
  // Far above what it takes, far below what quadratic behaviour would take.
  expect(took()).toBeLessThan(5_000);
});
