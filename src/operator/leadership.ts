import type { LeaderElectionConfiguration } from '../flags/configuration';
import type { Clock } from '../kube/clock';
import type { Call } from '../kube/errors';
import { type ElectionHealth, LeaderElection, NotLeaderError } from '../kube/leader-election';
import type { Logger } from '../kube/logger';
import { Sharding, type ShardingHealth, type ShardingOptions } from './shards/sharding';

/** A time in which this process works: on all objects, or on those of a shard. */
export interface Term {
  /** Aborted when the work has to end. The reason is a `NotLeaderError` if another process may be at it, which leaves no time. */
  readonly signal: AbortSignal;
  /** Aborted when another process may be at it, also if that is while the work is ended in order: there is no time left then. */
  readonly lost: AbortSignal;
  /** Which of the shards it is; undefined if there are none. */
  readonly shard?: number;
  /** Whether an object is worked on in this term, by its key. */
  readonly concerns: (key: string) => boolean;
  /** To be called right before each write. @throws NotLeaderError if this process must not change anything in this term */
  readonly guard: (call: Call) => void;
}

/** How it stands with the elections. */
export interface LeadershipHealth {
  /** Of each Lease that this process has, or wants to have. */
  readonly elections: readonly ElectionHealth[];
  /** For people. */
  readonly line: string;
}

/** Who decides whether this process works, and on what. */
export interface Leadership {
  /** Begins: the work starts as soon as this process leads. */
  start(): void;
  /** Ends the work, and lets another process lead. */
  stop(): Promise<void>;
  /** Whether this process may change an object. Without a key: whether it may change any. */
  leads(key?: string): boolean;
  /** For what belongs to no object in particular. @throws NotLeaderError if this process must not change anything at all */
  readonly guard: (call: Call) => void;
  /** How the elections stand, if there are any. */
  health(): LeadershipHealth | undefined;
}

/** What leadership is made of. */
export interface LeadershipOptions {
  readonly configuration: LeaderElectionConfiguration;
  /** For the Leases, and nothing else. */
  readonly client: ShardingOptions['client'];
  readonly identity: string;
  /** The work; see `LeaderElectionOptions`. With shards it is called for each that this process gets. */
  readonly lead: (term: Term) => Promise<void>;
  /**
   * Whether this process knows enough to work. With shards it gets none before, as the others work on them meanwhile; a single leader begins with what it knows, as nobody else
   * does. @default - it does from the beginning
   */
  readonly isReady?: () => boolean;
  /** What is left to be written when all work has ended in order, and no other process is kept waiting longer than necessary. @default - nothing */
  readonly finish?: () => Promise<unknown>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** By an election, by one for each shard, or without one, where this process is known to be the only one. */
export function leadership({ configuration, ...options }: LeadershipOptions): Leadership {
  const { enabled, lockName, lockNamespace, leaseDuration, renewDeadline, retryPeriod, shards } = configuration;
  const times = { leaseDuration, renewDeadline, retryPeriod };
  if (!enabled || lockNamespace === undefined) return new SoleLeader(options);
  if (shards === undefined) return new ElectedLeader(options, { lock: { namespace: lockNamespace, name: lockName }, ...times });
  return new ShardLeader(options, { shards, lockName, lockNamespace, ...times });
}

/** A process that always leads, until it stops. */
class SoleLeader implements Leadership {
  readonly guard = () => {};
  private readonly term = new AbortController();
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly options: Pick<LeadershipOptions, 'lead' | 'finish'>) {}

  start(): void {
    // Work that was broken off keeps nobody from anything here.
    this.work = this.options.lead({ signal: this.term.signal, lost: new AbortController().signal, concerns: () => true, guard: this.guard }).catch((error: unknown) => {
      if (!(error instanceof NotLeaderError)) throw error;
    });
  }

  async stop(): Promise<void> {
    this.term.abort(new Error('the process is stopping'));
    await this.work;
    await this.options.finish?.();
  }

  leads(): boolean {
    return true;
  }

  health(): undefined {
    return undefined;
  }
}

type ElectionSettings = Pick<ConstructorParameters<typeof LeaderElection>[0], 'lock' | 'leaseDuration' | 'renewDeadline' | 'retryPeriod'>;

/** A process that leads while it has a Lease. */
class ElectedLeader implements Leadership {
  readonly guard: (call: Call) => void;
  private readonly election: LeaderElection;

  constructor({ lead, finish, ...options }: Omit<LeadershipOptions, 'configuration'>, settings: ElectionSettings) {
    this.election = new LeaderElection({
      ...options,
      ...settings,
      lead: async (signal, lost) => {
        await lead({ signal, lost, concerns: () => true, guard: this.guard });
        if (!lost.aborted) await finish?.();
      },
    });
    this.guard = this.election.guard;
  }

  start(): void {
    this.election.start();
  }

  stop(): Promise<void> {
    return this.election.stop();
  }

  leads(): boolean {
    return this.election.leading();
  }

  health(): LeadershipHealth {
    const health = this.election.health();
    return { elections: [health], line: health.leading ? 'leading' : `standing by, ${health.leader ? `${health.leader} leads` : 'nobody leads'}` };
  }
}

type ShardingSettings = Pick<ShardingOptions, 'shards' | 'lockName' | 'lockNamespace' | 'leaseDuration' | 'renewDeadline' | 'retryPeriod'>;

/** A process that works on some shards, beside others that work on the rest. */
class ShardLeader implements Leadership {
  readonly guard: (call: Call) => void;
  private readonly sharding: Sharding;

  constructor({ lead, ...options }: Omit<LeadershipOptions, 'configuration'>, settings: ShardingSettings) {
    this.sharding = new Sharding({
      ...options,
      ...settings,
      lead: (shard, term) => lead({ ...term, shard, concerns: (key) => this.sharding.shardOf(key) === shard }),
    });
    this.guard = this.sharding.guard;
  }

  start(): void {
    this.sharding.start();
  }

  stop(): Promise<void> {
    return this.sharding.stop();
  }

  leads(key?: string): boolean {
    return key === undefined ? this.sharding.held.length > 0 : this.sharding.owns(key);
  }

  health(): LeadershipHealth {
    const health = this.sharding.health();
    return { elections: [health.group, ...health.shards], line: describe(health, this.sharding.held) };
  }
}

/** For people. */
function describe({ group, members, shards }: ShardingHealth, held: readonly number[]): string {
  if (!group.leading) return `standing by, ${group.leader ? `${group.leader} has the Lease` : 'nobody has the Lease'}`;
  return `working on shards ${held.join(', ') || 'none'} of ${shards.length}, ${members.length} replicas`;
}
