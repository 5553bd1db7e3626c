import { zonedTime } from '../../src/text/zoned-time';

test.each([
  ['2026-03-29T00:30:00Z', 'Europe/Berlin', '2026-03-29T01:30:00+01:00'],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29T03:00:00+02:00'],
  ['2026-01-01T02:00:00Z', 'America/St_Johns', '2025-12-31T22:30:00-03:30'],
  ['2026-01-01T00:00:00Z', 'UTC', '2026-01-01T00:00:00Z'],
])('%s in %s is %s', (time, zone, text) => {
  expect(zonedTime(Date.parse(time), zone)).toBe(text);
});
