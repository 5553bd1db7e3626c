import type { Call } from '../../../../src/operator/kube/errors';
import { LeaderElection, NotLeaderError } from '../../../../src/operator/kube/leader-election';
import { silentLogger } from '../../../../src/operator/kube/logger';
import { shardOf } from '../../../../src/operator/shards/hash';
import { Sharding } from '../../../../src/operator/shards/sharding';
import { settle } from '../../kube/helpers/manual-clock';
import { PausableClock } from '../../kube/helpers/pausable-clock';
import { FakeLeaseServer } from './fake-lease-server';

export const LOCK = 'lock';
export const KEYS = Array.from({ length: 24 }, (_, index) => `jobs/application-${index}`);
const STEP = 500;
const WRITE: Call = { verb: 'create', resource: 'pods' };

/** A part of the applications that a replica works for, until it has ended that. */
interface Work {
  readonly shard: number;
  readonly term: AbortSignal;
  readonly guard: (call: Call) => void;
}

/** How a replica is. */
export interface ReplicaOptions {
  /** How many shards it thinks there are; 0: it works without. */
  readonly shards: number;
  /** Milliseconds that its work takes to end when there is time for it. */
  readonly slowness?: number;
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
  /** The applications of each shard. */
  private readonly keys: readonly (readonly string[])[];

  constructor(readonly name: string, private readonly server: FakeLeaseServer, readonly options: ReplicaOptions, start: Date | number) {
    this.clock = new PausableClock(start);
    this.keys = Array.from({ length: options.shards }, (_, shard) => KEYS.filter((key) => shardOf(key, options.shards) === shard));
    const common = { client: server.client(name), leaseDuration: options.leaseDuration ?? 15_000, logger: silentLogger, clock: this.clock, random: () => 0.5 };
    if (options.shards > 0) {
      this.sharding = new Sharding({ ...common, shards: options.shards, lockName: LOCK, lockNamespace: 'ops', identity: name, lead: (shard, term, guard) => this.work({ shard, term, guard }) });
    } else {
      const alone: LeaderElection = this.alone = new LeaderElection({ ...common, lock: { namespace: 'ops', name: LOCK }, identity: name, lead: (term) => this.work({ shard: 0, term, guard: alone.guard }) });
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

  /** The applications for which work goes on that has not been told to end. */
  get workedFor(): string[] {
    return [...this.works].filter(({ term }) => !term.aborted).flatMap(({ shard }) => this.keysOf(shard));
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
    const { shard, term } = work;
    this.log.push(`${shard} began`);
    this.works.add(work);
    return new Promise((resolve) => {
      const end = () => {
        this.works.delete(work);
        resolve();
      };
      const asked = () => {
        const isLost = term.reason instanceof NotLeaderError;
        this.log.push(`${shard} ${isLost ? 'lost' : 'asked to end'}`);
        if (isLost || !this.options.slowness) end();
        else this.clock.setTimeout(end, this.options.slowness);
      };
      if (term.aborted) asked();
      else term.addEventListener('abort', asked, { once: true });
    });
  }
}

/** Replicas on one API server, each with a clock that is a day apart from the next. */
export class Replicas {
  readonly server = new FakeLeaseServer();
  readonly running: Replica[] = [];
  private readonly slow: { left: number; go: () => void }[] = [];
  private started = 0;

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

  /** A promise that resolves after so many steps. */
  after(left: number): Promise<void> {
    return new Promise((go) => this.slow.push({ left, go }));
  }

  /** Goes on in steps that are shorter than all periods. Throws as soon as two replicas have one application. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP) {
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
