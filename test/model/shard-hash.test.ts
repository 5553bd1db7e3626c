import { hash32, shardOf } from '../../src/model/shard-hash';

test.each([
  ['', 0xab3e7c0b],
  ['default/spark-pi', 0x93b630de],
  ['team-a/nightly', 0xe0e9aaa9],
  ['bücher/größe-東京', 0xc6228938],
])('the hash of %p is the same for all replicas of all versions', (text, hash) => {
  expect(hash32(text)).toBe(hash);
});

test('all shards get about as many applications, however alike their names are', () => {
  for (const shards of [3, 8, 12, 64]) {
    const loads = new Array<number>(shards).fill(0);
    const count = shards * 1_000;
    for (let i = 0; i < count; i++) loads[shardOf(`jobs/daily-${String(i).padStart(6, '0')}`, shards)]!++;
    // Five standard deviations of a fair draw.
    const allowed = 5 * Math.sqrt(1_000);
    expect(Math.min(...loads)).toBeGreaterThan(1_000 - allowed);
    expect(Math.max(...loads)).toBeLessThan(1_000 + allowed);
  }
});
