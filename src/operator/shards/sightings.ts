import { type Lease, validFor } from '../../kube/lease';
import { sightingOfMissing, type Sighting, untilFree } from '../../kube/lease-lock';

/** Since when Leases have been as they are, by the clock of who looks; the times in them are of other clocks, and mean nothing here. */
export class Sightings {
  private seen = new Map<string, Sighting>();
  /** Those that somebody has deleted, until they would have run out: whoever has had them by then may still count on them, and make them anew. */
  private gone = new Map<string, Sighting>();

  /** @param leaseDuration milliseconds */
  constructor(private readonly leaseDuration: number) {}

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
    const absent = [...this.gone, ...before].filter(([name]) => !this.seen.has(name));
    this.gone = new Map(absent
      .map(([name, sighting]): [string, Sighting] => [name, sightingOfMissing(sighting, now, this.leaseDuration)])
      .filter(([, sighting]) => untilFree(sighting, now, this.leaseDuration) > 0));
  }

  /** How a Lease was when it was looked at last, or before it was deleted; undefined if there was none of this name, or it would have run out by now. */
  of(name: string): Sighting | undefined {
    return this.seen.get(name) ?? this.gone.get(name);
  }

  /** For how many milliseconds a Lease has been over; negative for one that has not run out. */
  overdueFor(lease: Lease, now: number): number {
    return now - (this.seen.get(lease.metadata.name)?.changed ?? now) - validFor(lease, this.leaseDuration);
  }
}
