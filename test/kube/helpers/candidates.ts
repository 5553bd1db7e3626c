import { LeaderElection, NotLeaderError, type LeaderElectionOptions } from '../../../src/kube/leader-election';
import { silentLogger } from '../../../src/kube/logger';
import { FakeLeases } from './fake-leases';
import { ManualClock, settle } from './manual-clock';

export const LOCK = { namespace: 'ops', name: 'lock' };

/** A candidate and a log of its terms. */
export class Candidate {
  readonly terms: string[] = [];
  readonly election: LeaderElection;
  isSlow = false;
  /** Ends the work after it was asked to end. */
  finish: () => void = () => {};

  constructor(readonly name: string, leases: FakeLeases, readonly clock: ManualClock, options: Partial<LeaderElectionOptions> = {}) {
    this.election = new LeaderElection({
      client: leases.client(name, clock),
      lock: LOCK,
      identity: name,
      logger: silentLogger,
      clock,
      random: () => 0,
      lead: (term) => new Promise((resolve) => {
        this.terms.push('began');
        term.addEventListener('abort', () => {
          this.terms.push(term.reason instanceof NotLeaderError ? 'lost' : 'asked to stop');
          this.finish = resolve;
          if (!this.isSlow) resolve();
        });
      }),
      ...options,
    });
    this.election.start();
  }

  get leads(): boolean {
    return this.election.leading();
  }
}

/** Candidates of a test for one Lease. */
export class Candidates {
  readonly clock = new ManualClock();
  readonly leases = new FakeLeases();
  private readonly all: Candidate[] = [];

  /** Starts a candidate. @param clock its own clock, if it differs from the others' */
  readonly start = async (name: string, options?: Partial<LeaderElectionOptions>, clock = this.clock): Promise<Candidate> => {
    const made = new Candidate(name, this.leases, clock, options);
    this.all.push(made);
    await settle();
    return made;
  };

  /** Advances time in steps shorter than all periods, so that candidates see events in order. */
  readonly pass = async (ms: number, clocks = [this.clock]): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      for (const each of clocks) await each.advanceAsync(500);
      await settle();
    }
  };

  /** Stops all candidates. */
  async end(): Promise<void> {
    for (const made of this.all) {
      made.isSlow = false;
      made.finish();
      const stopped = made.election.stop();
      await made.clock.advanceAsync(20_000);
      await stopped;
    }
  }
}
