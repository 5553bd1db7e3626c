/* Decisions of the page, without a browser. */
import { questionOf, questionText, runText, withoutOperator } from '../../../src/console/page/application-actions';
import { lacksOperator, needsAttention, reasonOf, scheduleStateOf } from '../../../src/console/page/attention';
import { chipCounts, countStates, durationOf, filtered, filterOf, filterQuery, matching } from '../../../src/console/page/filter';
import { ageText, axisTexts, driverPodText, logLine, logTimeText, roleText, sentenceText, shown, toneOf } from '../../../src/console/page/format';
import { LineSplitter } from '../../../src/console/page/line-splitter';
import { parseRoute, routeHash } from '../../../src/console/page/route';
import { Rows } from '../../../src/console/page/rows';
import { searchOfReason, seriesOf } from '../../../src/console/page/series';
import { durationMarks, numberMarks, timeMarks } from '../../../src/console/page/steps';
import type { ApplicationRow, ScheduleRow } from '../../../src/console/wire';
import { explain } from '../../../src/explain/explain';

const MINUTE = 60_000;

function row(name: string, more: Partial<ApplicationRow> = {}): ApplicationRow {
  return { namespace: 'default', name, uid: name, state: 'RUNNING', created: 0, attempts: 1, ...more };
}

test.each([
  [0, '0s'], [999, '0s'], [61_000, '1m'], [3_600_000, '1h'], [90_061_000, '1d'], [-5, '0s'],
])('an age of %d milliseconds', (time, text) => {
  expect(ageText(time)).toBe(text);
});

test('durations have the form of those in the sentences of the server', () => {
  const begin = Date.parse('2026-03-01T10:00:00Z');
  const { sentence } = explain({
    application: {
      metadata: { namespace: 'jobs', name: 'pi', uid: 'u' }, spec: {},
      status: { applicationState: { state: 'COMPLETED' }, lastSubmissionAttemptTime: '2026-03-01T10:00:00Z', terminationTime: '2026-03-01T10:05:06Z' },
    } as any,
    now: begin,
  });
  expect([sentence, runText(row('pi', { begun: begin }), begin + 306_000)]).toEqual(['It completed after 5m6s', ' It began 5m6s ago.']);
});

test('a sentence begins with a capital letter and ends once', () => {
  expect(['it failed', 'It failed.', '', 'why?'].map(sentenceText)).toEqual(['It failed.', 'It failed.', '.', 'Why?']);
});

test('the name of a driver pod that does not exist is marked', () => {
  expect(driverPodText({ driverPod: 'pi-driver' })).toBe('pi-driver');
  expect(driverPodText({ driverPod: 'pi-driver', noDriver: 'the driver of pi has not been created yet' })).toBe('pi-driver (does not exist)');
  expect(driverPodText({ noDriver: 'the driver of pi has not been created yet' })).toBeUndefined();
});

test('the resources of a role', () => {
  expect(roleText({ cores: '1', cpu: 'request 100m', memory: '512m', instances: '1' })).toBe('1 × 1 core (request 100m), 512m');
  expect(roleText({ cores: '2', memory: '4g' })).toBe('2 cores, 4g');
});

test('the time of a log line is in UTC, in the same form in the page and in copies', () => {
  expect(logTimeText('2026-03-01T10:00:00.123456789Z')).toBe('2026-03-01T10:00:00.123Z ');
  expect(logTimeText('no time')).toHaveLength('2026-03-01T10:00:00.123Z '.length);
});

test('the question of an action names its object', () => {
  expect([questionText('Run now', 'nightly'), questionText('Run again', 'pi'), questionText('Suspend', 'pi')]).toEqual([
    'Run nightly now?', 'Run pi again?', 'Suspend pi?',
  ]);
});

test('terminal codes, control characters and bidirectional overrides become visible', () => {
  expect(logLine('\x1b[31mERROR\x1b[0m a\tb\r')).toBe('ERROR a    b');
  expect(shown('safe\u202Egnp.exe\0')).toBe('safe\\u202egnp.exe\\u0000');
  expect(shown('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
});

test.each([
  '#/applications/team-a/pi/logs?pod=pi-driver', '#/applications?q=a%3Db+c&state=FAILED', '#/',
])('the address contains the whole route: %s', (hash) => {
  expect(routeHash(parseRoute(hash))).toBe(hash);
});

test('an invalid address does not fail', () => {
  expect(parseRoute('#/applications/%E0%A4%A/x').path).toEqual(['applications', '%E0%A4%A', 'x']);
});

describe('filter', () => {
  const rows = [
    row('etl-daily', { labels: { team: 'data' }, created: 3, state: 'FAILED', reason: 'Driver ran OUT of memory', attention: true }),
    row('pi', { namespace: 'lab', created: 2, begun: 0, ended: 9 * MINUTE }),
    row('etl-weekly', { labels: { team: 'data', env: 'test' }, created: 1, state: '', begun: 0, ended: MINUTE }),
  ];
  const names = (query: Record<string, string>) => filtered(
    matching(rows, filterOf(query), ({ shortReason }) => shortReason), filterOf(query), 10 * MINUTE, (each) => needsAttention(each, { hasOperator: true, now: 10 * MINUTE }),
  ).map(({ name }) => name);

  test.each<[Record<string, string>, string[]]>([
    [{}, ['etl-daily', 'pi', 'etl-weekly']],
    [{ namespace: 'lab' }, ['pi']],
    [{ state: 'FAILED,NEW' }, ['etl-daily', 'etl-weekly']],
    [{ q: 'etl team=data' }, ['etl-daily', 'etl-weekly']],
    [{ q: 'team=data env=' }, ['etl-weekly']],
    [{ q: 'out OF memory' }, ['etl-daily']],
    [{ q: 'lab/pi' }, ['pi']],
    [{ attention: 'yes' }, ['etl-daily', 'etl-weekly']],
    [{ q: 'team=dat' }, []],
    [{ sort: '-name' }, ['pi', 'etl-weekly', 'etl-daily']],
    [{ sort: '-duration' }, ['pi', 'etl-weekly', 'etl-daily']],
    [{ sort: 'duration', q: 'etl' }, ['etl-weekly', 'etl-daily']],
    [{ sort: 'state' }, ['etl-daily', 'etl-weekly', 'pi']],
    [{ sort: 'nonsense' }, ['etl-daily', 'pi', 'etl-weekly']],
  ])('%j', (query, expected) => {
    expect(names(query)).toEqual(expected);
  });

  test('the counts of states respect the other filters', () => {
    expect(Object.fromEntries(countStates(matching(rows, filterOf({ q: 'etl', state: 'FAILED' }), () => undefined)))).toEqual({ FAILED: 1, NEW: 1 });
  });

  test('the text finds the reasons that the list shows', () => {
    const without = { hasOperator: false, now: 0 };
    const found = matching([row('a'), row('b', { otherOperator: true })], filterOf({ q: 'no operator' }), (each) => reasonOf(each, without));
    expect(found.map(({ name }) => name)).toEqual(['a']);
  });

  test('a chip has the number of applications that a click on it leaves', () => {
    const isUrgent = ({ attention }: ApplicationRow) => attention === true;
    const of = (query: Record<string, string>) => {
      const { counts, urgent } = chipCounts(rows, filterOf(query), isUrgent);
      return [Object.fromEntries(counts), urgent];
    };
    expect([of({}), of({ attention: 'yes' }), of({ state: 'RUNNING' })]).toEqual([
      [{ FAILED: 1, RUNNING: 1, NEW: 1 }, 1], [{ FAILED: 1, RUNNING: 0, NEW: 0 }, 1], [{ FAILED: 1, RUNNING: 1, NEW: 1 }, 0],
    ]);
  });

  test('the filter is kept in the address', () => {
    const query = { namespace: 'lab', state: 'FAILED', q: 'a b=c', attention: 'yes', sort: '-name' };
    expect(filterQuery(filterOf(query))).toEqual(query);
  });
});

describe('attention', () => {
  const DAY = 86_400_000;
  const failed = row('a', { state: 'FAILED', attention: true, ended: 0 });

  test('a failure needs attention for a day', () => {
    expect([DAY, DAY + 1].map((now) => needsAttention(failed, { hasOperator: true, now }))).toEqual([true, false]);
  });

  test('without an operator, applications that have not ended need attention', () => {
    const states = ['RUNNING', '', 'COMPLETED', 'SUSPENDED'].map((state) => row('a', { state, shortReason: 'slow' }));
    const without = { hasOperator: false, now: 0 };
    expect(states.map((each) => [needsAttention(each, without), reasonOf(each, without)])).toEqual([
      [true, 'no operator'], [true, 'no operator'], [false, 'slow'], [false, 'slow'],
    ]);
    expect(reasonOf(row('a', { state: 'COMPLETED', changed: true, shortReason: 'is about to run again' }), without)).toBe('no operator');
    // Another operator's absence says nothing.
    expect(reasonOf(row('a', { otherOperator: true }), without)).toBeUndefined();
  });

  test('a suspension that no operator has seen is visible', () => {
    const suspended = row('a', { state: '', suspended: true });
    const now = MINUTE + 1;
    expect([needsAttention(suspended, { hasOperator: true, now }), reasonOf(suspended, { hasOperator: true, now })]).toEqual([false, 'suspended, no operator']);
    expect(reasonOf(suspended, { hasOperator: true, now: 0 })).toBeUndefined();
  });

  test('actions do not promise what needs an operator', () => {
    const rows = [row('a'), row('a', { otherOperator: true }), row('a', { state: '' })];
    expect(rows.map((each) => lacksOperator(each, { hasOperator: false, now: 0 }))).toEqual([true, false, true]);
    expect(rows.map((each) => lacksOperator(each, { hasOperator: true, now: MINUTE + 1 }))).toEqual([false, false, true]);
    const textsOf = (id: string) => withoutOperator({ id, done: 'is done', question: 'It is done.' });
    expect([textsOf('run'), textsOf('delete')]).toEqual([
      { id: 'run', done: 'will run when an operator handles it', question: 'It is done. No operator handles it: the action has no effect until one does.' },
      { id: 'delete', done: 'is done', question: 'It is done.' },
    ]);
  });

  test('the question of a rerun has what is lost', () => {
    expect([row('a', { begun: 0 }), row('a', { begun: 0, state: 'COMPLETED' })].map((each) => questionOf('rerun', each, true, MINUTE))).toEqual([
      'The current run stops, and its driver pod and log are deleted. The application starts from the beginning. It began 1m ago.',
      'The application starts from the beginning. The driver pod and the log of the ended run are deleted.',
    ]);
  });

  test('the question of a rerun deletes no driver that does not exist', () => {
    const states = ['', 'FAILED', 'SUBMISSION_FAILED', 'SUSPENDED', 'INVALIDATING'];
    const asked = states.map((state) => questionOf('rerun', row('a', { state, begun: 0 }), false, MINUTE));
    const [waiting, ...others] = asked;
    expect(waiting).toBe('The current run stops. The application starts from the beginning. It began 1m ago.');
    expect(new Set(others)).toEqual(new Set(['The application starts from the beginning.']));
  });

  test('an application that has not begun has no run that stops', () => {
    const unseen = row('a', { state: '' });
    expect([questionOf('suspend', unseen, false, MINUTE), questionOf('rerun', unseen, false, MINUTE)])
      .toEqual(['No run starts until it is resumed.', 'The application starts from the beginning.']);
  });

  test('between two attempts no run stops', () => {
    const failing = row('a', { begun: 0, state: 'FAILING' });
    expect([questionOf('suspend', failing, true, MINUTE), questionOf('rerun', failing, true, MINUTE), runText(failing, MINUTE)]).toEqual([
      'No other attempt follows, and no run starts until it is resumed.',
      'The application starts from the beginning. The driver pod and the log of the ended run are deleted.', '',
    ]);
  });

  test('without an operator, an active schedule starts no runs', () => {
    const schedule = (more: Partial<ScheduleRow> = {}): ScheduleRow => (
      { namespace: 'default', name: 'nightly', uid: 'a', created: 0, schedule: '0 3 * * *', state: 'Scheduled', ...more }
    );
    const [scheduled, suspended] = [{ state: 'Scheduled' }, { state: 'Suspended' }];
    expect(scheduleStateOf(schedule(), { hasOperator: true })).toEqual(scheduled);
    const schedules = [schedule(), schedule({ suspended: true }), schedule({ otherOperator: true }), schedule({ state: 'FailedValidation', shortReason: 'invalid' })];
    expect(schedules.map((each) => scheduleStateOf(each, { hasOperator: false }))).toEqual([
      { ...scheduled, reason: 'no operator' }, suspended, scheduled, { state: 'FailedValidation', reason: 'invalid' },
    ]);
    expect(scheduleStateOf(schedule({ shortReason: 'cannot start' }), { hasOperator: true })).toEqual({ ...scheduled, reason: 'cannot start' });
    expect([toneOf('Suspended'), toneOf('STOPPED')]).toEqual([toneOf('SUSPENDED'), toneOf('SUSPENDED')]);
  });

  test('an application that no operator has reconciled for a minute needs attention', () => {
    expect([MINUTE, MINUTE + 1].map((now) => needsAttention(row('a', { state: '' }), { hasOperator: true, now }))).toEqual([false, true]);
  });
});

describe('rows', () => {
  test('the page shows old rows until a new snapshot is complete', () => {
    const rows = new Rows();
    const seen: number[] = [];
    rows.subscribe(() => seen.push(rows.applications.size));
    rows.apply({ reset: true, applications: { put: [row('a'), row('b'), row('c')] } });
    rows.apply({ reset: true, more: true, applications: { put: [row('a')] } });
    expect(rows.applications.size).toBe(3);
    rows.apply({ applications: { put: [row('d')] } });
    expect([...rows.applications.keys()]).toEqual(['default/a', 'default/d']);
    rows.apply({ applications: { drop: ['default/a', 'default/never-there'] } });
    expect(seen).toEqual([3, 2, 1]);
  });
});

test('a text is split into lines however it is split into chunks', () => {
  const text = '\n{"a":1}\n{"b":2}\nincomplete';
  for (let size = 1; size < 12; size++) {
    const lines = new LineSplitter();
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
    expect(pieces.flatMap((piece) => lines.push(piece))).toEqual(['', '{"a":1}', '{"b":2}']);
  }
});

test('an application has no duration before its first attempt and between two', () => {
  const durations = ['RUNNING', 'SUSPENDED', 'RESUMING', 'PENDING_RERUN', 'INVALIDATING'].map((state) => durationOf(row('a', { begun: 5, state }), 9));
  expect([...durations, durationOf(row('a', {}), 9)]).toEqual([4, undefined, undefined, undefined, undefined, undefined]);
});

test('series summarize the attempts that began in a span of time', () => {
  const series = seriesOf([
    row('old', { begun: -1, state: 'FAILED' }),
    row('a', { begun: 0, ended: 20, state: 'COMPLETED' }),
    row('b', { begun: 5, ended: 45, state: 'FAILED', reason: 'exit code 137 of b-1a2b3c4d5e-driver' }),
    row('c', { begun: 99, state: 'FAILED', reason: 'exit code 137 of c-0a0b0c0d0e-driver' }),
    row('d', { begun: 100 }),
    row('not-submitted-yet', { created: 50, state: '' }),
  ], 0, 100, 2);
  expect(series).toMatchObject({
    submitted: 4, completed: 1, failed: 2, median: 30, reasons: [{ reason: 'exit code 137 of …', count: 2 }],
  });
  expect(series.buckets.map(({ completed, failed, open }) => [completed, failed, open])).toEqual([[1, 1, 0], [0, 1, 1]]);
});

describe('reasons of failures', () => {
  const failed = (name: string, reason?: string) => row(name, { begun: 0, state: 'FAILED', ...(reason !== undefined && { reason }) });

  test('are grouped without dates and the words of the operator, the most frequent first', () => {
    expect(seriesOf([
      failed('c', 'FailedMount: x (the operator gave up after 5m)'), failed('d'),
      failed('a', 'no partition for 2026-03-01'), failed('b', 'no partition for 2026-03-02'),
    ], 0, 100, 2).reasons).toEqual([
      { reason: 'no partition for …', count: 2 }, { reason: undefined, count: 1 }, { reason: 'FailedMount: x', count: 1 },
    ]);
  });

  test('are all there, however many', () => {
    const { reasons } = seriesOf([...'abcdefghijklm'].map((each) => failed(each, `reason ${each}`)), 0, 100, 2);
    expect(reasons.map(({ count }) => count)).toEqual(Array.from({ length: 13 }, () => 1));
  });

  test('have words by which the list finds their applications, and no others', () => {
    const rows = [
      failed('a', 'no partition a=1 for 2026-03-01'), failed('b', 'no partition a=1 for 2026-03-02'), failed('c', `no such column ${'`x` '.repeat(50)}`),
      failed('d', 'exit code 137 of d-1a2b3c4d5e-driver\nin two lines'), failed('e', '[PATH_NOT_FOUND]   \t "s3a://b/日本" (etl.py:5)'),
      failed('f', 'its pod was deleted'), failed('g', 'driver pod not found: it was deleted, or its node is gone'),
    ];
    const found = seriesOf(rows, 0, 100, 2).reasons.map(({ reason }) => {
      const { query } = parseRoute(routeHash({ path: ['applications'], query: { state: 'FAILED', q: searchOfReason(reason!) } }));
      return filtered(matching(rows, filterOf(query), () => undefined), filterOf(query), 0, () => false).map(({ name }) => name).join();
    });
    expect(found.sort()).toEqual(['a,b', 'c', 'd', 'e', 'f', 'g']);
  });
});

test('a long reason ends in an ellipsis', () => {
  const { reasons } = seriesOf([row('a', { begun: 0, state: 'FAILED', reason: 'no such column '.repeat(20) })], 0, 100, 2);
  expect(reasons[0]!.reason).toBe(`${'no such column '.repeat(8).trimEnd()}…`);
});

test('marks of an axis are not alike, and midnight is a date', () => {
  const noon = new Date(2026, 2, 1, 12).getTime();
  const [first, second] = axisTexts([noon, noon + 30_000]);
  expect([first === second, first!.includes('00'), second!.includes('30')]).toEqual([false, true, true]);
  const midnight = new Date(2026, 2, 2).getTime();
  expect(axisTexts([midnight - 6 * 3_600_000, midnight, midnight + 6 * 3_600_000])).toEqual([expect.stringMatching(/:00/), expect.not.stringContaining(':'), expect.stringMatching(/:00/)]);
  expect(axisTexts([noon, noon + 86_400_000]).join('')).not.toContain(':');
});

test('axes have round marks', () => {
  expect(timeMarks(90_000, 400_000, 6, 0)).toEqual([120_000, 180_000, 240_000, 300_000, 360_000]);
  expect(timeMarks(0, 3 * 86_400_000, 4, -60).map((at) => new Date(at + 3_600_000).getUTCHours())).toEqual([0, 0, 0]);
  expect([numberMarks(0, 4), numberMarks(7, 4), numberMarks(1_000, 4)]).toEqual([[0, 1], [0, 2, 4, 6, 8], [0, 500, 1_000]]);
  expect(durationMarks(90_000, 4)).toEqual([0, 30_000, 60_000, 90_000]);
});
