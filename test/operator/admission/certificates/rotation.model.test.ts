/*
 * Model test of replicas and calls over the years. A replica's certificate is trusted by every
 * client that received a bundle less than the propagation time ago.
 */
import * as fc from 'fast-check';
import { certificateSettings } from '../../../../src/operator/admission/certificates/plan';
import { NetworkError } from '../../../../src/kube/errors';
import { ManualClock, settle } from '../../../kube/helpers/manual-clock';
import { DAY, HOUR } from '../../../helpers/certificates';
import { objection } from './helpers/certificates';
import { type FakeCall, FakeCluster, HOST } from './helpers/fake-cluster';
import { Replica } from './helpers/replica';

const WHO = ['a', 'b', 'c'] as const;
type Who = typeof WHO[number];
const START = Date.UTC(2026, 0, 1);
/** Milliseconds between two reconciles of an undisturbed replica. */
const INTERVAL = 4 * DAY;
/** Errors of the replicas' clocks, in milliseconds. */
const SKEW: Record<Who, number> = { a: 0, b: 2 * 60_000, c: -2 * 60_000 };
/**
 * Milliseconds for which an API server might use the previous configuration. Time passes in steps
 * of at least a millisecond.
 */
const SLOWEST = certificateSettings().propagation - 10;

type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'cut' | 'heal' | 'pause' | 'wake' | 'crash'; readonly who: Who }
  | {
    readonly kind: 'fault';
    readonly call: 'get' | 'update' | 'patch' | 'watch';
    readonly fault: 'refused' | 'lost' | 'late' | 'answered late';
    readonly ms: number;
  };

const steps: fc.Arbitrary<Step[]> = fc.array(fc.oneof(
  {
    weight: 5, arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.oneof(fc.integer({ min: 1, max: 2 * HOUR }), fc.integer({ min: DAY, max: 40 * DAY })),
    }),
  },
  {
    weight: 2, arbitrary: fc.record({
      kind: fc.constantFrom('cut' as const, 'heal' as const, 'pause' as const, 'wake' as const, 'crash' as const),
      who: fc.constantFrom(...WHO),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      call: fc.constantFrom('get' as const, 'update' as const, 'patch' as const, 'watch' as const),
      fault: fc.constantFrom('refused' as const, 'lost' as const, 'late' as const, 'answered late' as const),
      ms: fc.integer({ min: 1, max: 5 * DAY }),
    }),
  },
), { minLength: 70, maxLength: 90 });

/** The replicas, and API servers that call them with slightly older configurations. */
class World {
  readonly cluster = new FakeCluster();
  readonly authorities = new Set<string>();
  readonly leaves = new Set<string>();
  private now = START;
  private readonly clocks = Object.fromEntries(WHO.map((who) => [who, new ManualClock(START + SKEW[who])])) as Record<Who, ManualClock>;
  private readonly replicas = {} as Record<Who, Replica>;
  /**
   * Disconnected or paused replicas, and since when. Each returns within the third of a
   * certificate's lifetime that is left at a renewal.
   */
  private readonly away = new Map<Who, { readonly how: 'cut' | 'paused'; readonly since: number }>();
  private readonly late: { readonly at: number; readonly go: () => void }[] = [];
  private readonly faults: (Step & { kind: 'fault' })[] = [];
  /** Previous bundles of each webhook, and their last times. */
  private history: { readonly bundles: readonly string[]; until: number }[] = [];
  private readonly gone = new Set<string>();
  private processes = 0;

  constructor() {
    this.cluster.before = (call) => this.disturb(call, ['refused', 'late']);
    this.cluster.after = (call) => this.disturb(call, ['lost', 'answered late']);
    this.cluster.onWrite = () => this.remember();
    WHO.forEach((who) => this.start(who));
  }

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case 'pass': return this.pass(step.ms);
      case 'fault': this.faults.push(step); return;
      case 'crash': this.leave(step.who); return this.start(step.who);
      case 'cut': case 'pause':
        if (!this.away.has(step.who)) this.away.set(step.who, { how: step.kind === 'cut' ? 'cut' : 'paused', since: this.now });
        if (step.kind === 'cut') this.cluster.cut(this.replicas[step.who].who);
        return;
      case 'heal': case 'wake': return this.back(step.who);
    }
  }

  /** Reconnects everything, and waits until all replicas are settled. */
  async calm(): Promise<void> {
    WHO.forEach((who) => this.back(who));
    this.faults.length = 0;
    this.cluster.before = this.cluster.after = () => {};
    this.late.splice(0).forEach(({ go }) => go());
    // The pause after a failure is as long as that between two reconciles.
    await this.pass(2 * INTERVAL);
    const [bundle] = this.cluster.bundles();
    expect(new Set(this.cluster.bundles())).toEqual(new Set([bundle]));
    for (const { cert, source } of Object.values(this.replicas)) {
      expect(source.health().problem).toBeUndefined();
      expect(cert).toBe(this.cluster.text('server-cert.pem')! + this.cluster.text('ca-cert.pem')!);
    }
  }

  async stop(): Promise<void> {
    this.cluster.before = this.cluster.after = () => {};
    this.late.splice(0).forEach(({ go }) => go());
    await Promise.all(Object.values(this.replicas).map(({ source }) => source.stop()));
  }

  private async pass(ms: number): Promise<void> {
    for (const end = this.now + ms; this.now < end;) {
      const timers = WHO.filter((who) => !this.isPaused(who)).map((who) => this.now + (this.clocks[who].untilNext ?? Infinity));
      const next = Math.min(end, this.now + DAY, ...timers, ...this.late.map(({ at }) => at));
      const passed = Math.max(1, next - this.now);
      this.now += passed;
      for (const [who, { since }] of this.away) if (this.now - since > 10 * DAY) this.back(who);
      // Time passes for all processes, including a paused one, but its timers do not fire.
      for (const who of WHO) (this.clocks[who] as unknown as { time: number }).time += passed;
      for (const who of WHO) if (!this.isPaused(who)) await this.clocks[who].advanceAsync(0);
      for (const late of this.late.filter(({ at }) => at <= this.now)) {
        this.late.splice(this.late.indexOf(late), 1);
        late.go();
      }
      await settle();
      this.check();
    }
  }

  private check(): void {
    this.history = this.history.filter(({ until }) => until > this.now - SLOWEST);
    const bundles = new Set([...this.history.flatMap(({ bundles: past }) => past), ...this.present()]);
    for (const who of WHO) {
      const { cert } = this.replicas[who];
      if (cert === undefined) continue;
      this.leaves.add(cert);
      for (const bundle of bundles) {
        const why = objection(bundle, cert, HOST, this.now);
        if (why !== undefined) throw new Error(`on day ${(this.now - START) / DAY} what ${who} shows is refused: ${why}`);
      }
    }
  }

  private present(): string[] {
    return this.cluster.bundles().filter((bundle) => bundle !== undefined);
  }

  private remember(): void {
    const last = this.history.at(-1);
    if (last) last.until = this.now;
    const bundles = this.present();
    bundles.forEach((bundle) => this.authorities.add(bundle));
    this.history.push({ bundles, until: Infinity });
  }

  private start(who: Who): void {
    this.away.delete(who);
    this.replicas[who] = new Replica(`${who}${this.processes++}`, this.cluster, this.clocks[who], { interval: INTERVAL });
  }

  /** Ends a process. Its timers end, but its pending calls arrive. */
  private leave(who: Who): void {
    this.clocks[who] = new ManualClock(this.now + SKEW[who]);
    this.gone.add(this.replicas[who].who);
    void this.replicas[who].source.stop();
  }

  private isPaused(who: Who): boolean {
    return this.away.get(who)?.how === 'paused';
  }

  private back(who: Who): void {
    this.away.delete(who);
    this.cluster.cut(this.replicas[who].who, false);
  }

  private disturb({ who, what }: FakeCall, kinds: readonly string[]): unknown {
    if (this.gone.has(who)) return Promise.reject(new Error('the process has ended'));
    const index = this.faults.findIndex(({ call, fault }) => what.startsWith(call) && kinds.includes(fault));
    if (index < 0) return undefined;
    const { fault, ms } = this.faults.splice(index, 1)[0]!;
    const error = new NetworkError({ verb: what, resource: who }, 'ECONNRESET', fault);
    if (fault === 'refused' || fault === 'lost') return Promise.reject(error);
    return new Promise<void>((go) => this.late.push({ at: this.now + ms, go }));
  }
}

test('over the years no client receives a certificate that it does not trust', async () => {
  const seen = { authorities: 0, leaves: 0 };
  await fc.assert(fc.asyncProperty(steps, async (all) => {
    const world = new World();
    try {
      for (const step of all) await world.run(step);
      await world.calm();
    } finally {
      await world.stop();
    }
    seen.authorities = Math.max(seen.authorities, world.authorities.size);
    seen.leaves = Math.max(seen.leaves, world.leaves.size);
  }), { numRuns: 8, interruptAfterTimeLimit: 45_000 });
  // The test had an effect.
  expect(seen.authorities).toBeGreaterThanOrEqual(2);
  expect(seen.leaves).toBeGreaterThanOrEqual(5);
}, 240_000);
