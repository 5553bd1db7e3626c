/* Cards of applications on a phone. */
import { cardHeight, scheduleCardHeight } from '../../../src/console/page/card';
import { Offsets } from '../../../src/console/page/offsets';
import type { ApplicationRow } from '../../../src/console/wire';

const NOW = { hasOperator: true, now: 0 };

function row(shortReason?: string, reason?: string, name = 'pi'): ApplicationRow {
  return {
    namespace: 'jobs', name, uid: name, state: 'FAILED', created: 0, attempts: 1,
    ...(shortReason !== undefined && { shortReason }), ...(reason !== undefined && { reason }),
  };
}

test('the card of an application has the height of its lines', () => {
  const LINE = cardHeight(row('OOMKilled'), NOW, 390) - cardHeight(row(), NOW, 390);
  expect(LINE).toBe(20);
  const lines = (each: ApplicationRow, width = 390) => (cardHeight(each, NOW, width) - cardHeight(row(), NOW, 390)) / LINE;
  expect([row('OOMKilled', 'x'.repeat(60)), row('OOMKilled', 'x'.repeat(600)), row(undefined, undefined, 'n'.repeat(63))].map((each) => lines(each))).toEqual([2, 2, 1]);
  expect(lines(row('OOMKilled', 'x'.repeat(60)), 760)).toBe(1);
  expect(lines(row('OOMKilled'), 0)).toBe(1);
});

test('the card of a schedule has a second line for a long name', () => {
  const height = (name: string) => scheduleCardHeight({ namespace: 'jobs', name, uid: name, created: 0, schedule: '@daily', state: 'Scheduled' }, 390);
  expect([height('nightly'), height('n'.repeat(40)), height('n'.repeat(200))]).toEqual([137, 157, 157]);
});

test('elements of different heights are found by their positions', () => {
  const offsets = new Offsets([10, 30, 20]);
  expect([offsets.total, ...[-1, 0, 1, 2, 3, 9].map((index) => offsets.startOf(index))]).toEqual([60, 0, 0, 10, 40, 60, 60]);
  expect([-5, 0, 9, 10, 39, 40, 59, 60, 999].map((position) => offsets.indexAt(position))).toEqual([0, 0, 0, 1, 1, 2, 2, 2, 2]);
  expect([new Offsets([]).total, new Offsets([]).indexAt(5), new Offsets([]).startOf(5)]).toEqual([0, 0, 0]);
});
