import { startDeadline, withStartDeadline } from '../../../src/operator/driver/start-deadline';

const NOW = Date.parse('2026-03-01T10:00:00.400Z');

test.each<[string, Parameters<typeof startDeadline>[0], object]>([
  ['a wait that begins ends with a whole second', { timeout: 300_000 }, { time: '2026-03-01T10:05:01Z', left: 300_600 }],
  ['a known deadline stays', { timeout: 300_000, known: '2026-03-01T10:02:00Z' }, { time: '2026-03-01T10:02:00Z', left: 119_600 }],
  ['a known deadline can have passed', { timeout: 300_000, known: '2026-03-01T09:00:00Z' }, { time: '2026-03-01T09:00:00Z', left: -3_600_400 }],
  ['by a clock that was ahead, or a longer timeout, it is no limit', { timeout: 60_000, known: '2026-03-02T10:00:00Z' }, { time: '2026-03-01T10:01:01Z', left: 60_600 }],
  ['a malformed one is ignored', { timeout: 60_000, known: 'soon' }, { time: '2026-03-01T10:01:01Z', left: 60_600 }],
  ['without a place in the status it counts from its begin', { timeout: 60_000, begin: NOW - 50_000 }, { left: 10_000 }],
])('%s', (_, wait, expected) => {
  expect(startDeadline(wait, NOW)).toEqual(expected);
});

test('a status has the deadline of the current wait only', () => {
  const status = { state: 'x', startDeadlineTime: 'a' };
  expect([withStartDeadline(status, 'b'), withStartDeadline(status, undefined)]).toEqual([{ state: 'x', startDeadlineTime: 'b' }, { state: 'x' }]);
});
