/** The tiers of the tests. */
export type Tier = 'unit' | 'load' | 'differential' | 'packages' | 'api' | 'e2e';

/**
 * Tiers by lane: those of a lane run one after the other, beside the other lane. The second one waits
 * for JVMs and containers most of the time, while the first one computes.
 */
const LANES: readonly (readonly Tier[])[] = [['unit', 'differential', 'api'], ['e2e']];

/** Lanes of `--quick`. */
export const QUICK_LANES: readonly (readonly Tier[])[] = [['unit'], ['api']];

/** Runs in the lane that ends first, as which one that is depends on the machine. */
const FILLING: Tier = 'packages';

/** Measures what the machine can do, and has it for itself. */
const ALONE: Tier = 'load';

export const TIERS: readonly Tier[] = [...LANES.flat(), FILLING, ALONE];

/** Returns the tier of a test file, by its path from the root. */
export function tierOf(path: string): Tier {
  return TIERS.find((tier) => path.startsWith(`test/${tier}/`)) ?? 'unit';
}

/**
 * Runs tiers, as far as they are wanted, and returns their results by tier.
 *
 * @param run runs one tier; must not throw
 */
export async function runInLanes<T>(wanted: ReadonlySet<Tier>, run: (tier: Tier) => Promise<T>, lanes = LANES): Promise<ReadonlyMap<Tier, T>> {
  const results = new Map<Tier, T>();
  const runAll = async (tiers: readonly Tier[]) => {
    for (const tier of tiers) if (wanted.has(tier)) results.set(tier, await run(tier));
  };
  const running = lanes.map(runAll);
  await Promise.all([...running, Promise.race(running).then(() => runAll([FILLING]))]);
  await runAll([ALONE]);
  return results;
}
