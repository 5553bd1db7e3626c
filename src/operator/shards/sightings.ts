import type { Sighting } from '../kube/leader-election';
import { type Lease, validFor } from '../kube/lease';

/** Since when Leases have been as they are, by the clock of who looks; the times in them are of other clocks, and mean nothing here. */
export class Sightings {
  private seen = new Map<string, Sighting>();

  /**
   * Takes in all the Leases that there are.
   *
   * @param now milliseconds, by a clock that never goes back
   */
  look(leases: readonly Lease[], now: number): void {
    const before = this.seen;
    this.seen = new Map(leases.map((lease): [string, Sighting] => {
      const known = before.get(lease.metadata.name);
      const isSame = known?.lease.metadata.resourceVersion === lease.metadata.resourceVersion;
      return [lease.metadata.name, isSame ? known! : { lease, changed: now }];
    }));
  }

  /** How a Lease was when it was looked at last; undefined if there was none of this name. */
  of(name: string): Sighting | undefined {
    return this.seen.get(name);
  }

  /**
   * For how many milliseconds a Lease has been over; negative for one that has not run out.
   *
   * @param leaseDuration milliseconds, if the Lease does not say
   */
  overdueFor(lease: Lease, leaseDuration: number, now: number): number {
    return now - (this.seen.get(lease.metadata.name)?.changed ?? now) - validFor(lease, leaseDuration);
  }
}
