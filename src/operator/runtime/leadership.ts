import type { LeaderElectionConfiguration } from '../../flags/configuration';
import type { Clock } from '../../kube/clock';
import type { Call } from '../../kube/errors';
import { type ElectionHealth, LeaderElection, type LeaderElectionOptions, NotLeaderError } from '../../kube/leader-election';
import type { Logger } from '../../kube/logger';

/** A time in which this process works. */
export interface Term {
  /** Aborted when the work has to end. The reason is a `NotLeaderError` if another process may be at it, which leaves no time. */
  readonly signal: AbortSignal;
  /** Aborted when another process may be at it, also if that is while the work is ended in order: there is no time left then. */
  readonly lost: AbortSignal;
}

/** State of the election. */
export interface LeadershipHealth {
  readonly election: ElectionHealth;
  /** For people. */
  readonly line: string;
}

/** Decides whether this process is active. */
export interface Leadership {
  /** Begins: the work starts as soon as this process leads. */
  start(): void;
  /** Ends the work, and lets another process lead. */
  stop(): Promise<void>;
  /** Whether this process may change anything. */
  leads(): boolean;
  /** To be called right before each write. @throws NotLeaderError if this process must not change anything */
  readonly guard: (call: Call) => void;
  /** Returns the state of the election; undefined without one. */
  health(): LeadershipHealth | undefined;
}

/** What leadership is made of. */
export interface LeadershipOptions {
  readonly configuration: LeaderElectionConfiguration;
  /** For the Lease, and nothing else. */
  readonly client: LeaderElectionOptions['client'];
  readonly identity: string;
  /** The work; see `LeaderElectionOptions`. */
  readonly lead: (term: Term) => Promise<void>;
  /** What is left to be written when all work has ended in order, and no other process is kept waiting longer than necessary. @default - nothing */
  readonly finish?: () => Promise<unknown>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** By an election, or without one, where this process is known to be the only one. */
export function leadership({ configuration, ...options }: LeadershipOptions): Leadership {
  const { enabled, lockName, lockNamespace, leaseDuration, renewDeadline, retryPeriod } = configuration;
  if (!enabled || lockNamespace === undefined) return new SoleLeader(options);
  return new ElectedLeader(options, { lock: { namespace: lockNamespace, name: lockName }, leaseDuration, renewDeadline, retryPeriod });
}

/** A process that always leads, until it stops. */
class SoleLeader implements Leadership {
  readonly guard = () => {};
  private readonly term = new AbortController();
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly options: Pick<LeadershipOptions, 'lead' | 'finish'>) {}

  start(): void {
    // Work that was broken off keeps nobody from anything here.
    this.work = this.options.lead({ signal: this.term.signal, lost: new AbortController().signal }).catch((error: unknown) => {
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
        await lead({ signal, lost });
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
    return { election: health, line: health.leading ? 'leading' : `standing by, ${health.leader ? `${health.leader} leads` : 'nobody leads'}` };
  }
}
