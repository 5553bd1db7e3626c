import * as fc from 'fast-check';
import { assign } from '../../../src/operator/shards/assign';

const shardCounts = fc.integer({ min: 1, max: 64 });
const memberLists = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 10 });

function loadsOf(assigned: readonly string[], members: readonly string[]): number[] {
  return members.map((member) => assigned.filter((each) => each === member).length);
}

function moves(before: readonly string[], after: readonly string[]): number {
  return before.filter((member, shard) => after[shard] !== member).length;
}

test('each shard gets a member, and no member gets two more than another', () => {
  fc.assert(fc.property(shardCounts, memberLists, (shards, members) => {
    const assigned = assign(shards, members);
    expect(assigned).toHaveLength(shards);
    expect(assigned.every((member) => members.includes(member))).toBe(true);
    const loads = loadsOf(assigned, members);
    expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
  }));
});

test('all who know the same members come to the same, in whatever order they know them', () => {
  const inTwoOrders = memberLists.chain((members) => fc.tuple(fc.constant(members), fc.shuffledSubarray([...members, ...members], { minLength: members.length * 2 })));
  fc.assert(fc.property(shardCounts, inTwoOrders, (shards, [members, others]) => {
    expect(assign(shards, others)).toEqual(assign(shards, members));
  }));
});

test('the assignment is the same for all versions', () => {
  expect(assign(8, ['a', 'b', 'c'])).toEqual(['a', 'a', 'c', 'a', 'c', 'c', 'b', 'b']);
});

test('without members nobody has anything, and with one that one has all', () => {
  expect(assign(4, [])).toEqual([]);
  expect(assign(4, ['a'])).toEqual(['a', 'a', 'a', 'a']);
});

test.each([[12, 1], [12, 2], [12, 3], [16, 4], [32, 3], [64, 7]])('of %d shards little more than a share moves when a member joins %d others', (shards, count) => {
  const rounds = 200;
  let moved = 0;
  for (let round = 0; round < rounds; round++) {
    const members = Array.from({ length: count }, (_, index) => `operator-${round}-${index}`);
    const before = assign(shards, members);
    const after = assign(shards, [...members, `operator-${round}-new`]);
    moved += moves(before, after);
  }
  const share = shards / (count + 1);
  expect(moved / rounds).toBeLessThan(share * 1.6);
  // To hash a shard onto the list of members would move most of them.
  expect(moved / rounds).toBeLessThan(shards * 0.75);
});
