import { runInLanes, TIERS, type Tier } from '../../../tools/test/lanes.ts';

/** Lets what is due run. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Begins tiers that end on demand. @returns those that run at once, and what `end` begins */
async function begin(wanted: readonly Tier[]) {
  const log: string[] = [];
  const ends = new Map<Tier, () => void>();
  const results = runInLanes(new Set(wanted), async (tier) => {
    log.push(tier);
    await new Promise<void>((resolve) => ends.set(tier, resolve));
  });
  const end = async (tier: Tier) => {
    ends.get(tier)!();
    await turn();
    return log.splice(0);
  };
  await turn();
  return { begun: log.splice(0), end, results };
}

test('packages fill the lane that ends first, and load has the machine for itself', async () => {
  const { begun, end, results } = await begin(TIERS);
  expect(begun).toEqual(['unit', 'e2e']);
  expect(await end('unit')).toEqual(['differential']);
  expect(await end('differential')).toEqual(['api']);
  expect(await end('e2e')).toEqual(['packages']);
  expect(await end('api')).toEqual([]);
  expect(await end('packages')).toEqual(['load']);
  await end('load');
  expect([...(await results).keys()].sort()).toEqual([...TIERS].sort());
});

test('only wanted tiers run', async () => {
  const { begun, end, results } = await begin(['api', 'packages']);
  expect(begun).toEqual(['api', 'packages']);
  expect(await end('api')).toEqual([]);
  await end('packages');
  expect((await results).size).toBe(2);
});
