import type { Call } from '../../../../src/kube/errors';
import { LeaderElection, NotLeaderError } from '../../../../src/kube/leader-election';
import { isMissing, type Sighting } from '../../../../src/kube/lease-lock';
import { silentLogger } from '../../../../src/kube/logger';
import { shardOf } from '../../../../src/model/shard-hash';
import { shardLeaseName } from '../../../../src/model/member-lease';
import type { Sightings } from '../../../../src/operator/shards/sightings';
import { Sharding, type ShardTerm } from '../../../../src/operator/shards/sharding';
import { settle } from '../../../kube/helpers/manual-clock';
import { PausableClock } from '../../../kube/helpers/pausable-clock';
import { FakeLeaseServer } from './fake-lease-server';

export const LOCK = 'lock';
export const KEYS = Array.from({ length: 24 }, (_, index) => `jobs/application-${index}`);
const STEP = 500;
/** Milliseconds after which the owner of a Lease that was deleted does not count on it any more, or has made it anew. */
const MISSING = 16_000;
const WRITE: Call = { verb: 'create', resource: 'pods' };

/** A part of the applications that a replica works for, until it has ended that. */
interface Work extends ShardTerm {
  readonly shard: number;
}

/** How a replica is. */
export interface ReplicaOptions {
  /** How many shards it thinks there are; 0: it works without. */
  readonly shards: number;
  /** Milliseconds that its work takes to end when there is time for it. */
  readonly slowness?: number;
  /** Milliseconds after which work that is ended in order is broken off; nothing says that all it has sent has arrived by then. @default - never */
  readonly patience?: number;
  /** Milliseconds until it knows enough to work. */
  readonly readyAfter?: number;
  readonly leaseDuration?: number;
}

/** A process of the operator. */
export class Replica {
  readonly clock: PausableClock;
  /** What has become of its work: `3 began`, `3 asked to end`, `3 lost`. */
  readonly log: string[] = [];
  readonly works = new Set<Work>();
  readonly sharding?: Sharding;
  private readonly alone?: LeaderElection;
  isStopping = false;
  /** How often it was told to finish. */
  finished = 0;
  /** The applications of each shard. */
  private readonly keys: readonly (readonly string[])[];

  constructor(readonly name: string, private readonly server: FakeLeaseServer, readonly options: ReplicaOptions, start: Date | number) {
    this.clock = new PausableClock(start);
    this.keys = Array.from({ length: options.shards }, (_, shard) => KEYS.filter((key) => shardOf(key, options.shards) === shard));
    const common = { client: server.client(name, this.clock), leaseDuration: options.leaseDuration ?? 15_000, logger: silentLogger, clock: this.clock, random: () => 0.5 };
    if (options.shards > 0) {
      this.sharding = new Sharding({ ...common, shards: options.shards, lockName: LOCK, lockNamespace: 'ops', identity: name, isReady: () => this.clock.monotonic() >= (options.readyAfter ?? 0), lead: (shard, term) => this.work({ shard, ...term }), finish: async () => { this.finished++; } });
    } else {
      const alone: LeaderElection = this.alone = new LeaderElection({ ...common, lock: { namespace: 'ops', name: LOCK }, identity: name, lead: (signal, lost) => this.work({ shard: 0, signal, lost, guard: alone.guard }) });
    }
    (this.sharding ?? this.alone)!.start();
  }

  get held(): readonly number[] {
    return this.sharding ? this.sharding.held : this.alone!.leading() ? [0] : [];
  }

  owns(key: string): boolean {
    return this.sharding ? this.sharding.owns(key) : this.alone!.leading();
  }

  /** The applications that it has. */
  get owned(): string[] {
    return this.held.flatMap((shard) => this.keysOf(shard));
  }

  /** The applications for which some of its work goes on that nothing would keep from writing. */
  get writable(): string[] {
    return [...this.works].filter(isAllowed).flatMap(({ shard }) => this.keysOf(shard));
  }

  /** The applications for which work goes on that has not been told that it is lost: also while it is being ended in order. */
  get workedFor(): string[] {
    return [...this.works].filter(({ lost }) => !lost.aborted).flatMap(({ shard }) => this.keysOf(shard));
  }

  /** Whether it has ever seen that there is such a Lease, and does not just count on there being none. A leader without shards need not. */
  knows(shard: number): boolean {
    if (!this.sharding) return true;
    const { members, seats } = this.sharding as unknown as { members: { sightings: Sightings }; seats: { election?: { lock: { sighting?: Sighting } } }[] };
    const lock = seats[shard]?.election?.lock;
    const seen = [members.sightings.of(shardLeaseName(LOCK, shard)), ...lock ? [lock.sighting] : []];
    return seen.every((sighting) => sighting && !isMissing(sighting, this.clock.monotonic(), this.options.leaseDuration ?? 15_000));
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await (this.sharding ?? this.alone)!.stop();
  }

  /** It vanishes. */
  crash(): void {
    this.server.cut(this.name);
    this.clock.isPaused = true;
  }

  private keysOf(shard: number): readonly string[] {
    return this.sharding ? this.keys[shard]! : KEYS;
  }

  private work(work: Work): Promise<void> {
    const { shard, signal, lost } = work;
    this.log.push(`${shard} began`);
    this.works.add(work);
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => {
        this.works.delete(work);
        if (error) reject(error);
        else resolve();
      };
      const asked = () => {
        if (lost.aborted) return;
        this.log.push(`${shard} asked to end`);
        const { slowness = 0, patience = Infinity } = this.options;
        if (slowness === 0) end();
        else this.clock.setTimeout(() => end(slowness > patience ? new NotLeaderError() : undefined), Math.min(slowness, patience));
      };
      const isLost = () => {
        if (!this.works.has(work)) return;
        this.log.push(`${shard} lost`);
        end();
      };
      on(lost, isLost);
      on(signal, asked);
    });
  }
}

/** Replicas on one API server, each with a clock that is a day apart from the next. */
export class Replicas {
  readonly server = new FakeLeaseServer();
  readonly running: Replica[] = [];
  private readonly slow: { left: number; go: () => void }[] = [];
  private started = 0;
  private passed = 0;
  private deletedAt = -Infinity;

  start(options: ReplicaOptions): Replica {
    const number = this.started++;
    const replica = new Replica(`r${number}`, this.server, options, Date.UTC(2026, 0, 1 + number));
    this.running.push(replica);
    return replica;
  }

  /** An orderly end, in the background. */
  stop(replica: Replica): void {
    void replica.stop().then(() => this.remove(replica));
  }

  crash(replica: Replica): void {
    replica.crash();
    this.remove(replica);
  }

  /** Whether there may be a Lease that somebody has deleted, and whose owner still counts on it. A replica that begins then cannot know. */
  get isMissing(): boolean {
    return this.passed - this.deletedAt < MISSING;
  }

  /** Somebody deletes the Lease of a shard, if there is one and all replicas know of it; not twice in so short a time that one may not have seen what was between. */
  deleteLease(shard: number): void {
    const name = shardLeaseName(LOCK, shard);
    const isKnown = this.running.every((replica) => replica.knows(shard));
    if (!isKnown || !this.server.all.has(name)) return;
    this.server.remove(name);
    this.deletedAt = this.passed;
  }

  /** A promise that resolves after so many steps. */
  after(left: number): Promise<void> {
    return new Promise((go) => this.slow.push({ left, go }));
  }

  /** Goes on in steps that are shorter than all periods. Throws as soon as two replicas have one application. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP) {
      this.passed += STEP;
      for (const call of this.slow) if (call.left-- === 0) call.go();
      for (const replica of [...this.running]) {
        await replica.clock.pass(STEP);
        this.check('has', ({ owned }) => owned);
        this.check('may write for', ({ writable }) => writable);
      }
      await settle();
      // Now all clocks show the same time and all timers have fired, but for those of a process that is paused.
      this.check('works for', ({ clock, workedFor }) => (clock.isPaused ? [] : workedFor));
    }
  }

  /** All that is wrong is put right. */
  heal(): void {
    this.server.noMoreFaults();
    for (const replica of this.running) {
      this.server.cut(replica.name, false);
      replica.clock.isPaused = false;
    }
    for (const { go } of this.slow.splice(0)) go();
  }

  /** Who has an application. */
  ownersOf(key: string): Replica[] {
    return this.running.filter((replica) => replica.owns(key));
  }

  async end(): Promise<void> {
    this.heal();
    const stopped = Promise.all(this.running.map((replica) => replica.stop()));
    await this.pass(40_000);
    await stopped;
  }

  private check(what: string, keysOf: (replica: Replica) => readonly string[]): void {
    const who = new Map<string, Replica>();
    for (const replica of this.running) {
      for (const key of keysOf(replica)) {
        const other = who.get(key);
        if (other) throw new Error(`each of ${other.name} and ${replica.name} ${what} ${key}`);
        who.set(key, replica);
      }
    }
  }

  private remove(replica: Replica): void {
    const index = this.running.indexOf(replica);
    if (index >= 0) this.running.splice(index, 1);
  }
}

function isAllowed({ guard }: Work): boolean {
  try {
    guard(WRITE);
    return true;
  } catch {
    return false;
  }
}

function on(signal: AbortSignal, react: () => void): void {
  if (signal.aborted) react();
  else signal.addEventListener('abort', react, { once: true });
}
