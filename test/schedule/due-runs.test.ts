import fc from 'fast-check';
import { dueRuns } from '../../src/schedule/due-runs';
import { parseSchedule } from '../../src/schedule/expression';
import { cpuTime } from '../helpers/cpu-time';
import { runsByMinutes } from './oracle';

const DAY = 86_400_000;
const at = (text: string) => Date.parse(text);
const texts = (times: readonly number[]) => times.map((time) => new Date(time).toISOString().replace('.000Z', 'Z'));

test('the latest runs equal those of a check of each minute', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
  const expressions = fc.constantFrom('0 * * * *', '*/7 * * * *', '30 2 * * *', '* 3 * * *', '0 0 1 * *', '15,45 1-3 * * 0', '* * * * 1');
  const instants = fc.constantFrom('2026-03-27T00:00:00Z', '2026-10-23T11:11:11Z', '2026-04-03T00:00:00Z', '2026-11-01T05:30:00Z', '2026-10-03T00:00:00Z');
  fc.assert(fc.property(expressions, zones, instants, fc.integer({ min: 0, max: 4 * DAY }), fc.constantFrom(1, 3, 100), (schedule, timeZone, from, length, limit) => {
    const [first, until] = [at(from), at(from) + length];
    const all = [first, ...runsByMinutes(schedule, timeZone, first, until)];
    const due = dueRuns(parseSchedule(schedule, timeZone), first, until, limit);

    expect(texts(due.latest)).toEqual(texts(all.slice(-limit)));
    if (due.isMore) expect(due.earlier).toBeLessThan(all.length - due.latest.length + 1);
    else expect(due.earlier).toBe(all.length - due.latest.length);
  }), { numRuns: 60 });
}, 240_000);

test('with @every they start from the first run', () => {
  const due = dueRuns(parseSchedule('@every 90s'), at('2026-03-01T10:00:00Z'), at('2026-03-01T10:07:29Z'), 2);

  expect({ ...due, latest: texts(due.latest) }).toEqual({ latest: ['2026-03-01T10:04:30Z', '2026-03-01T10:06:00Z'], earlier: 3, isMore: false });
});

test.each(['@every 1s', '* * * * *', '* * * 1 *', '0 0 29 2 *', '*/5 2 * * 0'])('after ten years without an operator %s computes few times', (schedule) => {
  const times = parseSchedule(schedule, 'Australia/Lord_Howe');
  const took = cpuTime();
  const due = dueRuns(times, at('2016-03-01T10:00:00Z'), at('2026-03-01T10:00:00Z'), 1);
  const milliseconds = took();

  expect(due.latest[0]!).toBeLessThanOrEqual(at('2026-03-01T10:00:00Z'));
  expect(times.next(new Date(due.latest[0]!))!.getTime()).toBeGreaterThan(at('2026-03-01T10:00:00Z'));
  // Of CPU, where all times of ten years would take minutes.
  expect(milliseconds).toBeLessThan(5_000);
});
