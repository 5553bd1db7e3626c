import type { LeaderElectionConfiguration } from './configuration';
import type { Clock } from './kube/clock';
import type { Call } from './kube/errors';
import { type ElectionHealth, LeaderElection, NotLeaderError } from './kube/leader-election';
import type { Logger } from './kube/logger';
import { Sharding, type ShardingHealth, type ShardingOptions } from './shards/sharding';

/** A time in which this process works: on all objects, or on those of a shard. */
export interface Term {
  /** Aborted when the work has to end. The reason is a `NotLeaderError` if another process may be at it, which leaves no time. */
  readonly signal: AbortSignal;
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
  readonly logger: Logger;
  readonly clock: Clock;
}

/** By an election, by one for each shard, or without one, where this process is known to be the only one. */
export function leadership({ configuration, ...options }: LeadershipOptions): Leadership {
  const { enabled, lockName, lockNamespace, leaseDuration, renewDeadline, retryPeriod, shards } = configuration;
  const times = { leaseDuration, renewDeadline, retryPeriod };
  if (!enabled || lockNamespace === undefined) return new SoleLeader(options.lead);
  if (shards === undefined) return new ElectedLeader(options, { lock: { namespace: lockNamespace, name: lockName }, ...times });
  return new ShardLeader(options, { shards, lockName, lockNamespace, ...times });
}

/** A process that always leads, until it stops. */
class SoleLeader implements Leadership {
  readonly guard = () => {};
  private readonly term = new AbortController();
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly lead: LeadershipOptions['lead']) {}

  start(): void {
    this.work = this.lead({ signal: this.term.signal, concerns: () => true, guard: this.guard });
  }

  async stop(): Promise<void> {
    this.term.abort(new Error('the process is stopping'));
    await this.work;
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

  constructor({ lead, ...options }: Omit<LeadershipOptions, 'configuration'>, settings: ElectionSettings) {
    this.election = new LeaderElection({ ...options, ...settings, lead: (signal) => lead({ signal, concerns: () => true, guard: this.guard }) });
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
  private readonly sharding: Sharding;

  constructor({ lead, ...options }: Omit<LeadershipOptions, 'configuration'>, settings: ShardingSettings) {
    this.sharding = new Sharding({
      ...options,
      ...settings,
      lead: (shard, signal, guard) => lead({ signal, shard, guard, concerns: (key) => this.sharding.shardOf(key) === shard }),
    });
  }

  readonly guard = (call: Call): void => {
    if (!this.leads()) throw new NotLeaderError(call);
  };

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
