/* Whatever happens to replicas, calls and settings: at no moment have two the same application, and in the end each has an owner, and all owners have as much. */
import * as fc from 'fast-check';
import type { LeaseFault } from '../../kube/helpers/fake-leases';
import { settle } from '../../kube/helpers/manual-clock';
import type { Verb } from './helpers/fake-lease-server';
import { KEYS, Replicas } from './helpers/replicas';

type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'join'; readonly shards: number; readonly slowness: number; readonly patience: number; readonly readyAfter: number }
  | { readonly kind: 'cut' | 'heal' | 'pause' | 'wake' | 'crash' | 'leave'; readonly who: number }
  | { readonly kind: 'delete'; readonly shard: number }
  | { readonly kind: 'fault'; readonly verb: Verb; readonly fault: 'refused' | 'lost' | 'hangs' | 'hangs when done' | 'arrives' | 'isAnswered'; readonly steps: number };

/** `MODEL_RUNS=2000` for a campaign, `MODEL_SEED` (and `MODEL_PATH`) to see a failure again. */
const { MODEL_RUNS = '60', MODEL_SEED, MODEL_PATH } = process.env;

/** Without shards, with some, and with others. */
const SHARDS = [0, 4, 4, 4, 6];
const MOST = 4;

const joins: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('join' as const),
  shards: fc.constantFrom(...SHARDS),
  slowness: fc.constantFrom(0, 0, 3_000, 12_000),
  patience: fc.constantFrom(5_000, 15_000),
  readyAfter: fc.constantFrom(0, 0, 8_000, 20_000),
});

const steps: fc.Arbitrary<Step[]> = fc.array(fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 500, max: 15_000 }) }) },
  { weight: 2, arbitrary: joins },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), shard: fc.nat(3) }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('cut' as const, 'cut' as const, 'heal' as const, 'pause' as const, 'pause' as const, 'wake' as const, 'crash' as const, 'leave' as const), who: fc.nat() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      verb: fc.constantFrom('get' as const, 'update' as const, 'update' as const, 'create' as const, 'watch' as const, 'list' as const, 'delete' as const),
      fault: fc.constantFrom('refused' as const, 'lost' as const, 'hangs' as const, 'hangs when done' as const, 'arrives' as const, 'isAnswered' as const),
      steps: fc.integer({ min: 1, max: 30 }),
    }),
  },
), { minLength: 10, maxLength: 40 });

/** One that is cut off does not see that another takes a shard that was free, nor that somebody deletes its Lease. */
const MISSED: Step[] = [
  { kind: 'fault', verb: 'watch', fault: 'refused', steps: 1 },
  { kind: 'leave', who: 0 },
  { kind: 'join', shards: 4, slowness: 0, patience: 5_000, readyAfter: 0 },
  { kind: 'fault', verb: 'create', fault: 'hangs', steps: 1 },
  { kind: 'pass', ms: 5_501 },
  { kind: 'cut', who: 0 },
  { kind: 'pass', ms: 12_000 },
  { kind: 'delete', shard: 1 },
];

function faultOf(world: Replicas, { fault, steps: left }: Step & { kind: 'fault' }): LeaseFault {
  if (fault === 'arrives') return { arrives: world.after(left) };
  return fault === 'isAnswered' ? { isAnswered: world.after(left) } : fault;
}

function run(world: Replicas, step: Step): Promise<void> | void {
  const { running, server } = world;
  switch (step.kind) {
    case 'pass': return world.pass(step.ms);
    case 'join': if (running.length < MOST && !world.isMissing) world.start(step); return;
    case 'delete': return world.deleteLease(step.shard);
    case 'fault': return server.fail(step.verb, faultOf(world, step));
  }
  const replica = running[step.who % running.length];
  if (!replica) return;
  switch (step.kind) {
    case 'cut': return server.cut(replica.name);
    case 'heal': return server.cut(replica.name, false);
    case 'pause': replica.clock.isPaused = true; return;
    case 'wake': replica.clock.isPaused = false; return;
    case 'crash': return world.crash(replica);
    case 'leave': if (!replica.isStopping) world.stop(replica);
  }
}

test('never two have the same application, and when all is well again each has an owner within a minute, and the owners have as much', async () => {
  await fc.assert(fc.asyncProperty(steps, async (sequence) => {
    const world = new Replicas();
    for (const slowness of [0, 3_000]) world.start({ shards: 4, slowness });
    await settle();
    try {
      await world.pass(10_000);
      for (const step of sequence) await run(world, step);
      world.heal();
      if (world.running.every(({ isStopping }) => isStopping)) {
        while (world.isMissing) await world.pass(500);
        world.start({ shards: 4 });
      }
      await world.pass(60_000);
      expect(KEYS.filter((key) => world.ownersOf(key).length !== 1)).toEqual([]);
      // They all are of the kind that came first; the others wait until there are none of it.
      const [kind] = world.ownersOf(KEYS[0]!).map(({ options }) => options.shards);
      const loads = world.running.filter(({ options }) => options.shards === kind).map(({ held }) => held.length);
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
    } finally {
      await world.end();
    }
  }), { numRuns: Number(MODEL_RUNS), examples: [[MISSED]], ...(MODEL_SEED && { seed: Number(MODEL_SEED) }), ...(MODEL_PATH && { path: MODEL_PATH }) });
}, 1_800_000);
