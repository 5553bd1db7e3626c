import type { LeaderElectionConfiguration } from '../../flags/configuration';
import type { Clock } from '../../kube/clock';
import type { Call } from '../../kube/errors';
import { type ElectionHealth, LeaderElection, type LeaderElectionOptions, NotLeaderError } from '../../kube/leader-election';
import type { Logger } from '../../kube/logger';

/** A period in which this process works. */
export interface Term {
  /**
   * Aborted when the work has to end. The reason is a `NotLeaderError` if another process might
   * lead, which leaves no time.
   */
  readonly signal: AbortSignal;
  /**
   * Aborted when another process might lead, even while the work ends in order: then no time is
   * left.
   */
  readonly lost: AbortSignal;
}

/** State of the election. */
export interface LeadershipHealth {
  readonly election: ElectionHealth;
  /** A line for /readyz. */
  readonly line: string;
}

/** Decides whether this process is active. */
export interface Leadership {
  /** Starts: the work begins as soon as this process leads. */
  start(): void;
  /** Ends the work, and lets another process lead. */
  stop(): Promise<void>;
  /** Whether this process can change objects. */
  leads(): boolean;
  /**
   * Fencing: call it right before each write. @throws NotLeaderError if this process must not write
   */
  readonly guard: (call: Call) => void;
  /** Returns the state of the election; undefined without one. */
  health(): LeadershipHealth | undefined;
}

/** Options of a leadership. */
export interface LeadershipOptions {
  readonly configuration: LeaderElectionConfiguration;
  /** The client for the Lease, and for nothing else. */
  readonly client: LeaderElectionOptions['client'];
  readonly identity: string;
  /** The work; see `LeaderElectionOptions`. */
  readonly lead: (term: Term) => Promise<void>;
  /**
   * Writes what remains after all work has ended in order. It delays other processes no longer than
   * necessary. @default - nothing
   */
  readonly finish?: () => Promise<unknown>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Returns a leadership by election, or without one if this process is known to be the only one. */
export function leadership({ configuration, ...options }: LeadershipOptions): Leadership {
  const { enabled, lockName, lockNamespace, leaseDuration, renewDeadline, retryPeriod } = configuration;
  if (!enabled || lockNamespace === undefined) return new SoleLeader(options);
  return new ElectedLeader(options, { lock: { namespace: lockNamespace, name: lockName }, leaseDuration, renewDeadline, retryPeriod });
}

/** A process that leads from its start until it stops. */
class SoleLeader implements Leadership {
  readonly guard = () => {};
  private readonly term = new AbortController();
  private work: Promise<void> = Promise.resolve();
  private isWorking = false;

  constructor(private readonly options: Pick<LeadershipOptions, 'lead' | 'finish'>) {}

  start(): void {
    this.isWorking = true;
    // Aborted work delays no other process here.
    this.work = this.options.lead({ signal: this.term.signal, lost: new AbortController().signal }).catch((error: unknown) => {
      if (!(error instanceof NotLeaderError)) throw error;
    });
  }

  async stop(): Promise<void> {
    this.term.abort(new Error('the process is stopping'));
    await this.work;
    await this.options.finish?.();
    this.isWorking = false;
  }

  leads(): boolean {
    return this.isWorking;
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
    return {
      election: health,
      line: health.leading ? 'leading' : `standing by, ${health.leader ? `${health.leader} leads` : 'no leader'}`,
    };
  }
}
