import type { ElectionHealth, LeaderElection } from '../../kube/leader-election';

/** How a seat stands that this replica does not ask for. */
const IDLE: ElectionHealth = { leading: false, hasTerm: false };

/** One shard, for which this replica is a candidate or not. An election that has been stopped is never begun again, so that each time there is a new one, with a name of its own. */
export class Seat {
  private isWanted = false;
  private election?: LeaderElection;
  private ending?: Promise<void>;

  /** @param newElection makes an election that has not begun */
  constructor(private readonly newElection: () => LeaderElection) {}

  /** Asks for the shard; if it is being given up, as soon as that is done. */
  take(): void {
    this.isWanted = true;
    this.goOn();
  }

  /** Ends the work, then gives the shard back. */
  giveUp(): void {
    this.isWanted = false;
    this.goOn();
  }

  /** Gives the shard up, and resolves when that is done. */
  async stop(): Promise<void> {
    this.giveUp();
    await this.ending;
  }

  /** Ends the work at once, and leaves the shard to nobody until its Lease has run out. Resolves when that is done. */
  async abandon(): Promise<void> {
    this.isWanted = false;
    // Also if it is being given up in order: what is lost by then leaves no time for that.
    const ended = this.election?.abandon();
    if (ended) this.ending ??= this.end(ended);
    await this.ending;
  }

  /** Whether this replica has nothing to do with the shard. */
  get isIdle(): boolean {
    return this.election === undefined;
  }

  /** Whether this replica has the shard, for certain. */
  leading(): boolean {
    return this.election?.leading() ?? false;
  }

  /** How the election stands. */
  health(): ElectionHealth {
    return this.election?.health() ?? IDLE;
  }

  private goOn(): void {
    if (this.isWanted && !this.election) {
      this.election = this.newElection();
      this.election.start();
    } else if (!this.isWanted && this.election) {
      this.ending ??= this.end(this.election.stop());
    }
  }

  private async end(ended: Promise<void>): Promise<void> {
    await ended;
    this.election = this.ending = undefined;
    this.goOn();
  }
}
