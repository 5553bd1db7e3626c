/* Years of schedules, by a clock that the test holds, against an independent oracle. */
import { runsByQuarters } from '../../../schedule/oracle';
import { rfc, timesOf, World } from './world';

const YEARS: readonly [schedule: string, timeZone: string, from: string, to: string][] = [
  ['30 2 * * *', 'Europe/Berlin', '2025-06-01T12:00:00Z', '2026-06-01T12:00:00Z'],
  ['15 */6 * * 1-5', 'America/New_York', '2025-01-01T12:00:00Z', '2026-01-01T12:00:00Z'],
  ['30 1 * * *', 'America/New_York', '2026-01-01T12:00:00Z', '2027-01-01T12:00:00Z'],
  ['45 1,2 * * *', 'Australia/Lord_Howe', '2025-06-01T12:00:00Z', '2026-06-01T12:00:00Z'],
  ['0 0 13 * 5', 'UTC', '2025-01-01T12:00:00Z', '2027-01-01T12:00:00Z'],
  ['0 12 29 2 *', 'Asia/Kolkata', '2027-06-01T12:00:00Z', '2029-01-01T12:00:00Z'],
  // There was no 30th of December 2011.
  ['0 0 29-31 12 *', 'Pacific/Apia', '2010-12-01T12:00:00Z', '2012-12-31T23:00:00Z'],
];

test.each(YEARS)('%s in %s from %s to %s runs when its clocks show it', async (schedule, timeZone, from, to) => {
  const world = new World(from, { schedule, timeZone });
  const created: string[] = [];
  world.server.onCreated = (run) => created.push(...timesOf([run]));
  await world.goOnUntil(to, 600_000);

  expect(created).toEqual(runsByQuarters(schedule, timeZone, Date.parse(from), Date.parse(to)).map(rfc));
  expect(created.length).toBeGreaterThan(0);
  // The operator reconciles only at these times, and when a run ends.
  expect(world.server.made.filter((call) => call.startsWith('update')).length).toBeLessThanOrEqual(2 * created.length + 1);
}, 240_000);

/** By hand: the days on which the clocks change. */
test.each([
  ['a time that clocks skip has no run', '30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z', ['2026-03-30T00:30:00Z']],
  ['a time that they show twice has two', '30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z', ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-26T01:30:00Z']],
  ['skipped in New York', '30 2 * * *', 'America/New_York', '2026-03-07T12:00:00Z', '2026-03-09T12:00:00Z', ['2026-03-09T06:30:00Z']],
  ['twice in New York', '30 1 * * *', 'America/New_York', '2026-10-31T12:00:00Z', '2026-11-02T12:00:00Z', ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-02T06:30:00Z']],
  ['half an hour that is skipped', '15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', '2026-10-04T23:00:00Z', ['2026-10-04T15:15:00Z']],
  ['half an hour that is shown twice', '45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00:00Z', '2026-04-05T00:00:00Z', ['2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z']],
])('%s', async (_, schedule, timeZone, from, to, expected) => {
  const world = new World(from, { schedule, timeZone });
  const created: string[] = [];
  world.server.onCreated = (run) => created.push(...timesOf([run]));
  await world.goOnUntil(to, 600_000);
  expect(created).toEqual(expected);
});
