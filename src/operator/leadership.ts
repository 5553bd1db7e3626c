import type { LeaderElectionConfiguration } from './configuration';
import type { Clock } from './kube/clock';
import type { Call } from './kube/errors';
import { type ElectionHealth, type LeaseClient, LeaderElection } from './kube/leader-election';
import type { Logger } from './kube/logger';

/** Who decides whether this process works. */
export interface Leadership {
  /** Begins: the work starts as soon as this process leads. */
  start(): void;
  /** Ends the work, and lets another process lead. */
  stop(): Promise<void>;
  /** Whether this process may change anything. */
  leading(): boolean;
  /** @throws NotLeaderError if this process must not change anything */
  readonly guard: (call: Call) => void;
  /** How the election stands, if there is one. */
  health(): ElectionHealth | undefined;
}

/** What leadership is made of. */
export interface LeadershipOptions {
  readonly configuration: LeaderElectionConfiguration;
  /** For the Lease, and nothing else. */
  readonly client: LeaseClient;
  readonly identity: string;
  /** The work; see `LeaderElectionOptions`. */
  readonly lead: (term: AbortSignal) => Promise<void>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** By an election, or without one, where this process is known to be the only one. */
export function leadership({ configuration, ...options }: LeadershipOptions): Leadership {
  const { enabled, lockName: name, lockNamespace: namespace, leaseDuration, renewDeadline, retryPeriod } = configuration;
  if (!enabled || namespace === undefined) return new SoleLeader(options.lead);
  return new LeaderElection({ ...options, lock: { namespace, name }, leaseDuration, renewDeadline, retryPeriod });
}

/** A process that always leads, until it stops. */
class SoleLeader implements Leadership {
  readonly guard = () => {};
  private readonly term = new AbortController();
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly lead: LeadershipOptions['lead']) {}

  start(): void {
    this.work = this.lead(this.term.signal);
  }

  async stop(): Promise<void> {
    this.term.abort(new Error('the process is stopping'));
    await this.work;
  }

  leading(): boolean {
    return true;
  }

  health(): undefined {
    return undefined;
  }
}
