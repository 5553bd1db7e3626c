/* Events in the console about an image that cannot be pulled. */
import { foldedRows } from '../../../src/console/server/image-events';
import type { EventRow } from '../../../src/console/wire';

const row = (minute: number, reason: string, message: string, count: number): EventRow => ({
  uid: `${minute}`, type: 'Warning', reason, message, count, first: 0, last: minute * 60_000, about: 'Pod/pi-driver',
});

test('are one row, with the answer of the registry, the number of failed pulls and the newest time', () => {
  const answer = 'Failed to pull image "example.org/a:1": not found';
  const others = row(9, 'FailedMount', 'a volume', 1);
  const timed = (each: EventRow) => ({ row: each, time: each.last });
  expect(foldedRows([
    row(1, 'Failed', answer, 4), row(2, 'Failed', 'Error: ErrImagePull', 4), row(3, 'BackOff', 'Back-off pulling image "example.org/a:1"', 12), others,
  ].map(timed))).toEqual([{ ...row(3, 'Failed', answer, 4), uid: '1' }, others]);
});
