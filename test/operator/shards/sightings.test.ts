import type { Lease } from '../../../src/kube/lease';
import { Sightings } from '../../../src/operator/shards/sightings';

const lease = (name: string, resourceVersion: string, holderIdentity = 'a'): Lease => ({ metadata: { namespace: 'ops', name, resourceVersion }, spec: { holderIdentity } });

test('a Lease has been as it is since it was seen so first', () => {
  const sightings = new Sightings(15_000);
  sightings.look([lease('x', '1')], 1_000);
  sightings.look([lease('x', '1')], 2_000);
  expect([sightings.of('x')!.changed, sightings.overdueFor(lease('x', '1'), 17_000)]).toEqual([1_000, 1_000]);
  sightings.look([lease('x', '2')], 3_000);
  expect(sightings.of('x')).toEqual({ lease: lease('x', '2'), changed: 3_000 });
});

test('one that somebody has deleted is left to who may have it for its duration, from when it was found to be missing', () => {
  const sightings = new Sightings(15_000);
  const free = { ...lease('free', '1', ''), spec: { holderIdentity: '', leaseDurationSeconds: 1 } };
  sightings.look([lease('x', '1'), free], 0);
  sightings.look([], 5_000);
  sightings.look([], 19_999);
  // Somebody may have taken the free one, and more than a second ago.
  expect([sightings.of('x'), sightings.of('free')]).toEqual([{ lease: lease('x', '1'), changed: 5_000, missedAt: 19_999 }, { lease: free, changed: 5_000, missedAt: 19_999 }]);
  sightings.look([], 20_000);
  expect([sightings.of('x'), sightings.of('free')]).toEqual([undefined, undefined]);
});

test('one that is missing still after a long time without a look may have been made anew and deleted again meanwhile', () => {
  const sightings = new Sightings(15_000);
  sightings.look([lease('x', '1')], 0);
  sightings.look([], 5_000);
  sightings.look([], 35_000);
  expect(sightings.of('x')).toEqual({ lease: lease('x', '1'), changed: 35_000, missedAt: 35_000 });
});

test('one that its holder has made anew counts as it is', () => {
  const sightings = new Sightings(15_000);
  sightings.look([lease('x', '1')], 0);
  sightings.look([], 5_000);
  sightings.look([lease('x', '7')], 6_000);
  expect(sightings.of('x')).toEqual({ lease: lease('x', '7'), changed: 6_000 });
  sightings.look([], 7_000);
  expect(sightings.of('x')!.changed).toBe(7_000);
});
