/*
 * With any faults of candidates and calls: at most one leads at any moment, and one leads in the
 * end.
 */
import * as fc from 'fast-check';
import { LeaderElection } from '../../src/kube/leader-election';
import { isMissing, type Sighting } from '../../src/kube/lease-lock';
import { silentLogger } from '../../src/kube/logger';
import { FakeLeases, type LeaseFault } from './helpers/fake-leases';
import { settle } from './helpers/manual-clock';
import { PausableClock } from './helpers/pausable-clock';

const STEP = 250;
/**
 * Steps after which the owner of a deleted Lease no longer relies on it, or has created it again.
 */
const MISSING = 16_000 / STEP;
/** The default, in milliseconds. */
const LEASE_DURATION = 15_000;
const WHO = ['a', 'b', 'c'] as const;
type Who = typeof WHO[number];

type Step =
  | { readonly kind: 'pass'; readonly steps: number }
  | { readonly kind: 'delete' }
  | { readonly kind: 'cut' | 'heal' | 'pause' | 'suspend' | 'wake' | 'restart'; readonly who: Who }
  | { readonly kind: 'fault'; readonly verb: 'get' | 'update' | 'watch'; readonly fault: 'refused' | 'lost' | 'hangs' | 'hangs when done' | 'arrives' | 'isAnswered'; readonly steps: number };

const steps: fc.Arbitrary<Step[]> = fc.array(fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), steps: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('cut' as const, 'heal' as const, 'pause' as const, 'suspend' as const, 'wake' as const, 'restart' as const), who: fc.constantFrom(...WHO) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'delete' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const), verb: fc.constantFrom('get' as const, 'update' as const, 'watch' as const), fault: fc.constantFrom('refused' as const, 'lost' as const, 'hangs' as const, 'hangs when done' as const, 'arrives' as const, 'isAnswered' as const), steps: fc.integer({ min: 1, max: 60 }),
    }),
  },
), { minLength: 10, maxLength: 60 });

/** The candidates with their Lease, and clocks that differ by a day. */
class World {
  readonly leases = new FakeLeases();
  readonly clocks = new Map(WHO.map((who, index) => [who, new PausableClock(Date.UTC(2026, 0, 1 + index))]));
  readonly elections = new Map<Who, LeaderElection>();
  /** Candidates whose work continues and was not asked to end. */
  private readonly working = new Set<Who>();
  /**
   * Candidates whose virtual machine was suspended in their term. For up to a retry period no timer
   * fires, and only the check of the clocks prevents writes.
   */
  private readonly suspended = new Set<Who>();
  private readonly slow: { left: number; go: () => void }[] = [];
  private processes = 0;
  private passed = 0;
  private deletedAt = -Infinity;

  constructor() {
    for (const who of WHO) this.start(who);
  }

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case 'pass': return this.pass(step.steps);
      case 'delete': return this.deleteLease();
      case 'cut': return this.leases.cut(step.who);
      case 'heal': return this.leases.cut(step.who, false);
      case 'pause': this.clocks.get(step.who)!.isPaused = true; return;
      case 'suspend': return this.suspend(step.who);
      case 'wake': return this.wake(step.who);
      case 'restart': return this.restart(step.who);
      case 'fault': return this.leases.fail(step.verb, this.faultOf(step));
    }
  }

  async pass(count: number): Promise<void> {
    for (let passed = 0; passed < count; passed++) {
      this.passed++;
      for (const call of this.slow) if (call.left-- === 0) call.go();
      for (const clock of this.clocks.values()) {
        await clock.pass(STEP);
        this.check();
      }
      await settle();
      this.check();
      this.checkWork();
    }
  }

  /** Repairs all faults. */
  heal(): void {
    for (const who of WHO) {
      this.leases.cut(who, false);
      this.wake(who);
    }
    for (const { go } of this.slow) go();
  }

  get leaders(): Who[] {
    return WHO.filter((who) => this.elections.get(who)!.leading());
  }

  async stop(): Promise<void> {
    this.heal();
    const stopped = Promise.all([...this.elections.values()].map((election) => election.stop()));
    await this.pass(80);
    await stopped;
  }

  /**
   * Whether the Lease might be missing although a candidate relies on it. A process that starts
   * then cannot know.
   */
  private get isMissing(): boolean {
    return this.passed - this.deletedAt < MISSING;
  }

  /**
   * Deletes the Lease if all candidates have seen it. Two deletions are far enough apart that no
   * process misses the state in between.
   */
  private deleteLease(): void {
    const isKnown = WHO.every((who) => {
      const { sighting } = (this.elections.get(who) as unknown as { lock: { sighting?: Sighting } }).lock;
      return sighting && !isMissing(sighting, this.clocks.get(who)!.monotonic(), LEASE_DURATION);
    });
    if (!isKnown || !this.leases.lease) return;
    this.leases.delete();
    this.deletedAt = this.passed;
  }

  private faultOf({ fault, steps: left }: Step & { kind: 'fault' }): LeaseFault {
    if (fault !== 'arrives' && fault !== 'isAnswered') return fault;
    const later = new Promise<void>((go) => this.slow.push({ left, go }));
    return fault === 'arrives' ? { arrives: later } : { isAnswered: later };
  }

  private check(): void {
    if (this.leaders.length > 1) throw new Error(`${this.leaders.join(' and ')} lead at the same time`);
  }

  /**
   * All clocks show the same time and all timers have fired, except those of a process that is
   * paused or was suspended.
   */
  private checkWork(): void {
    const awake = [...this.working].filter((who) => !this.clocks.get(who)!.isPaused && !this.suspended.has(who));
    if (awake.length > 1) throw new Error(`${awake.join(' and ')} work at the same time`);
  }

  private suspend(who: Who): void {
    this.clocks.get(who)!.isSuspended = true;
    this.suspended.add(who);
  }

  private wake(who: Who): void {
    this.clocks.get(who)!.isPaused = this.clocks.get(who)!.isSuspended = false;
  }

  /** Records the start or end of a term. */
  private changes(who: Who, isWorking: boolean): void {
    if (!this.clocks.get(who)!.isSuspended) this.suspended.delete(who);
    if (isWorking) this.working.add(who);
    else this.working.delete(who);
  }

  private start(who: Who): void {
    this.elections.set(who, new LeaderElection({
      client: this.leases.client(who, this.clocks.get(who)!),
      lock: { namespace: 'ops', name: 'lock' },
      identity: `${who}_${this.processes++}`,
      lead: (term) => new Promise((resolve) => {
        this.changes(who, true);
        term.addEventListener('abort', () => {
          this.changes(who, false);
          resolve();
        }, { once: true });
      }),
      logger: silentLogger,
      clock: this.clocks.get(who)!,
      random: () => 0.5,
    }));
    this.elections.get(who)!.start();
  }

  /**
   * Stops a candidate in order and starts a new one, unless the process is paused or suspended, or
   * the new one could not know that a Lease existed.
   */
  private async restart(who: Who): Promise<void> {
    const clock = this.clocks.get(who)!;
    if (clock.isPaused || clock.isSuspended || this.isMissing) return;
    let isOver = false;
    void this.elections.get(who)!.stop().then(() => { isOver = true; });
    for (let waited = 0; !isOver && waited < 200; waited++) {
      for (const call of this.slow.splice(0)) call.go();
      await this.pass(1);
    }
    if (isOver) this.start(who);
  }
}

test('at most one leads at a time, and one leads after all faults are repaired', async () => {
  await fc.assert(fc.asyncProperty(steps, async (sequence) => {
    const world = new World();
    await settle();
    try {
      for (const step of sequence) await world.run(step);
      world.heal();
      await world.pass(160);
      expect(world.leaders).toHaveLength(1);
    } finally {
      await world.stop();
    }
  }), { numRuns: Number(process.env.MODEL_RUNS ?? 300) });
}, process.env.MODEL_RUNS ? 3_600_000 : 120_000);
