import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseSchedule } from '../../src/schedule/expression';
import { nextRuns } from '../../src/schedule/next-runs';
import { holds } from '../../src/rules/cel';
import { SCHEDULE_RULES } from '../../src/api/schedule-rules';
import { cpuTime } from '../helpers/cpu-time';
import { runsByMinutes } from './oracle';

interface Recorded {
  readonly schedule: string;
  readonly timeZone: string;
  readonly after: string;
  readonly runs: readonly string[] | null;
}
const RECORDED: readonly Recorded[] = JSON.parse(readFileSync(join(__dirname, 'robfig-cron.json'), 'utf8'));

function runsOf({ schedule, timeZone, after }: Pick<Recorded, 'schedule' | 'timeZone' | 'after'>, count = 4): string[] | string {
  try {
    return nextRuns(parseSchedule(schedule, timeZone), count, new Date(after)).map((run) => run.toISOString().replace('.000Z', 'Z'));
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the runs are those of robfig/cron', () => {
  test.each(RECORDED)('$schedule in $timeZone after $after', (recorded) => {
    expect(runsOf(recorded)).toEqual(recorded.runs ?? expect.any(String));
  });

  // The parser accepts only schedules that match the CRD's pattern, which does not check zones and
  // the order of ranges.
  test.each(RECORDED.filter(({ runs }) => runs))('the CRD accepts $schedule', ({ schedule }) => {
    for (const { rule } of SCHEDULE_RULES) expect(holds(rule, schedule)).toBe(true);
  });
  test.each(RECORDED.filter(({ schedule, timeZone, runs }) => !runs && timeZone === 'UTC' && !/Mars|fri-sun|5-1/.test(schedule)))('the CRD rejects $schedule', ({ schedule }) => {
    expect(SCHEDULE_RULES.every(({ rule }) => holds(rule, schedule))).toBe(false);
  });
});

const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Sao_Paulo', 'Pacific/Apia', 'Asia/Tehran'];
/** Instants before changes of the clocks, some of a day or half an hour, and on ordinary days. */
const INSTANTS = ['2026-03-07T20:13:00Z', '2026-10-24T20:00:00Z', '2026-04-04T10:00:00Z', '2018-11-03T12:00:59Z', '2011-12-29T09:00:00Z', '2027-12-31T22:00:00.500Z', '2028-02-28T00:00:00Z'];

const entry = (min: number, max: number): fc.Arbitrary<string> => {
  const value = fc.integer({ min, max });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.integer({ min: 1, max: 8 });
  return fc.oneof(fc.constant('*'), value.map(String), range, fc.tuple(fc.oneof(fc.constant('*'), value.map(String), range), step).map(([of, by]) => `${of}/${by}`));
};
const field = (min: number, max: number) => fc.oneof(fc.constant('*'), fc.array(entry(min, max), { minLength: 1, maxLength: 2 }).map((entries) => entries.join(',')));
const expression = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6)).map((fields) => fields.join(' '));

test('for any expression the runs are the minutes at which the clocks match, in order', () => {
  fc.assert(fc.property(expression, fc.constantFrom(...ZONES), fc.constantFrom(...INSTANTS), (schedule, timeZone, after) => {
    let times;
    try {
      times = parseSchedule(schedule, timeZone);
    } catch (error) {
      expect((error as Error).message).toContain('never has a run');
      return;
    }
    const days = 4;
    const end = Date.parse(after) + days * 86_400_000;
    const expected = runsByMinutes(schedule, timeZone, Date.parse(after), end);
    const found = nextRuns(times, 12, new Date(after)).filter((run) => run.getTime() <= end).map((run) => run.toISOString());

    expect(found).toEqual(expected.slice(0, 12).map((run) => new Date(run).toISOString()));
  }), { numRuns: 40 });
}, 240_000);

test('each run is after the previous one, for years, with all changes of the clocks', () => {
  fc.assert(fc.property(expression, fc.constantFrom(...ZONES), (schedule, timeZone) => {
    let runs: Date[];
    try {
      runs = nextRuns(parseSchedule(schedule, timeZone), 40, new Date('2026-01-01T00:00:00Z'));
    } catch {
      return;
    }
    expect(runs).toHaveLength(40);
    expect(runs.every((run, index) => index === 0 || run > runs[index - 1]!)).toBe(true);
  }), { numRuns: 100 });
}, 240_000);

test.each<[schedule: string, timeZone: string | undefined, message: string]>([
  ['0 3 * *', undefined, 'schedule = "0 3 * *" must have five fields (minute, hour, day of the month, month, day of the week), be a descriptor such as @daily, or @every and a duration; it has 4 fields'],
  ['0 25 * * *', undefined, 'schedule = "0 25 * * *" has "25" for the hour; it can be * or have numbers from 0 to 23, as 1,2, as 1-5 or with steps as */5'],
  ['0 0 * * 7', undefined, 'has "7" for the day of the week; it can be * or have numbers from 0 to 6 or names from sun to sat, as 1,2, as 1-5 or with steps as */5; Sunday is 0'],
  ['0 17-9 * * *', undefined, 'has 17-9 for the hour, which ends before it begins'],
  ['0 0 * * fri-sun', undefined, 'has 5-0 for the day of the week, which ends before it begins'],
  ['0 0 30 2 *', undefined, 'schedule = "0 0 30 2 *" never has a run: those months have no such day'],
  ['@dayly', undefined, 'has the unknown descriptor @dayly; known are @yearly'],
  ['@every 1 h', undefined, 'has "1 h" for a duration; write hours, minutes and seconds as in @every 1h30m or @every 90s'],
  ['@daily', 'Europe/Belrin', 'timeZone = "Europe/Belrin" is not a known time zone; write a name of the IANA database, such as Europe/Berlin or UTC'],
  ['@daily', 'BST', 'timeZone = "BST" is an ambiguous abbreviation; write Europe/London if you mean that'],
  ['@daily', 'pst', 'write America/Los_Angeles if you mean that'],
  ['TZ=IST @daily', undefined, 'names "IST", which is an ambiguous abbreviation; write Asia/Kolkata if you mean that'],
  ['@daily', 'SystemV/PST8PDT', 'timeZone = "SystemV/PST8PDT" is not a known time zone'],
  ['TZ=UTC @daily', 'Europe/Belrin', 'timeZone = "Europe/Belrin" is not a known time zone'],
  ['TZ=Belrin @daily', 'UTC', 'schedule = "TZ=Belrin @daily" names "Belrin", which is not a known time zone'],
])('%s in %s is rejected with a remedy', (schedule, timeZone, message) => {
  expect(() => parseSchedule(schedule, timeZone)).toThrow(message);
});

test.each(['ACT', 'AET', 'AGT', 'ART', 'AST', 'BET', 'CAT', 'CNT', 'CST', 'CTT', 'EAT', 'ECT', 'IET', 'JST', 'MIT', 'NET', 'NST', 'PLT', 'PNT', 'PRT', 'SST', 'VST'])('%s is no zone, but its suggestion is one', (name) => {
  const meant = /write (\S+) if/.exec(runsOf({ schedule: '@daily', timeZone: name, after: '2026-01-01' }) as string)?.[1];
  expect(parseSchedule('@daily', meant).timeZone).toBe(meant);
});

test('a zone in the schedule takes precedence over timeZone', () => {
  expect(parseSchedule('TZ=Asia/Kolkata 0 0 * * *', 'Europe/Berlin').timeZone).toBe('Asia/Kolkata');
});

test('invalid or malicious schedules take no time', () => {
  const took = cpuTime();
  for (const part of ['0', ',', '1,', '1-', '*/', '0-0/1,', 'mon', '@every 1h', ' ', 'TZ=a ', 'TZ=a/', '1.']) {
    const text = part.repeat(1024 / part.length);
    for (const schedule of [text, `${text}!`, `${text} * * * *`, `0 0 * * ${text}!`, `@every ${text}`]) {
      expect(runsOf({ schedule, timeZone: 'UTC', after: '2026-03-01T00:00:00Z' })).toBeDefined();
      for (const { rule } of SCHEDULE_RULES) holds(rule, schedule);
    }
  }
  expect(took()).toBeLessThan(2_000);
});
