import { painter, widthOf } from '../../../src/text/colours';
import { progressLine, progressText } from '../../../src/sparkctl/wait/progress';

const NOW = Date.parse('2026-03-01T10:05:00Z');
const plain = { now: NOW, paint: painter({ colour: false }) };

function followed({ state = 'RUNNING', executors = {}, spec = {}, status = {} }: { state?: string; executors?: Record<string, string>; spec?: object; status?: object } = {}) {
  return {
    namespace: 'jobs', name: 'pi',
    application: {
      metadata: { namespace: 'jobs', name: 'pi', creationTimestamp: '2026-03-01T10:00:00Z' }, spec: { executor: { instances: 4 }, ...spec },
      status: { applicationState: { state }, lastSubmissionAttemptTime: '2026-03-01T10:03:48Z', executorState: executors, ...status },
    } as any,
  };
}

test.each([
  ['before anything is known', { namespace: 'jobs', name: 'pi' }, 'jobs/pi'],
  ['before its first attempt', followed({ state: '', status: { lastSubmissionAttemptTime: undefined } }), 'jobs/pi NEW 5m'],
  ['between two attempts', followed({ state: 'INVALIDATING' }), 'jobs/pi INVALIDATING'],
  ['suspended', followed({ state: 'SUSPENDED', spec: { suspend: true } }), 'jobs/pi SUSPENDED (until `sparkctl resume`)'],
  ['waiting for its driver', followed({ state: 'SUBMITTED' }), 'jobs/pi SUBMITTED 1m12s'],
  ['waiting for an image', followed({ state: 'SUBMITTED', status: { applicationState: { state: 'SUBMITTED', errorMessage: 'driver does not start: ImagePullBackOff: x' } } }), 'jobs/pi SUBMITTED (ImagePullBackOff) 1m12s'],
  ['with its executors', followed({ executors: { a: 'RUNNING', b: 'RUNNING', c: 'PENDING', d: 'FAILED' } }), 'jobs/pi RUNNING 1m12s ██████▒▒▒░░░ 2/4 executors 1 pending, 1 failed'],
  ['as many as Spark likes', followed({ executors: { a: 'RUNNING' }, spec: { dynamicAllocation: { enabled: true } } }), 'jobs/pi RUNNING 1m12s 1 executor'],
  ['with a single one', followed({ executors: { a: 'PENDING' }, spec: { executor: { instances: 1 } } }), 'jobs/pi RUNNING 1m12s 0/1 executors 1 pending'],
  ['as many as a property says', followed({ executors: { a: 'RUNNING' }, spec: { executor: {}, sparkConf: { 'spark.executor.instances': '2' } } }), 'jobs/pi RUNNING 1m12s ██████░░░░░░ 1/2 executors'],
  ['once more', followed({ state: 'FAILING', status: { submissionAttempts: 3 } }), 'jobs/pi FAILING 1m12s attempt 3'],
  ['ended', followed({ state: 'COMPLETED', executors: { a: 'COMPLETED' }, status: { terminationTime: '2026-03-01T10:04:00Z' } }), 'jobs/pi COMPLETED 12s 0/4 executors 1 completed'],
  ['unheard of', { ...followed({ state: 'SUBMITTED' }), trouble: 'the stream was cut off\nsecret' }, 'jobs/pi SUBMITTED 1m12s no connection: the stream was cut off; retrying'],
])('%s', (_, each, line) => {
  expect(progressLine(each, plain).slice(2)).toBe(line);
});

test('executors that ended with their driver have not failed', () => {
  const attempt = { number: 1, submissionID: 's', submissionTime: '2026-03-01T10:03:48Z', result: 'Failed' };
  const text = (executors?: object) => progressText(followed({
    state: 'FAILED', executors: { a: 'FAILED', b: 'FAILED' }, status: { submissionID: 's', attemptHistory: [{ ...attempt, ...(executors && { executors }) }] },
  }), NOW);
  expect(text()).not.toContain('executors');
  expect(text({ peak: 2, failed: 1 })).toContain('executors: 1 failed');
});

test('the line of an application that has ended has a mark in place of the spinner', () => {
  expect(progressLine({ ...followed({ state: 'COMPLETED' }), isReached: true }, plain)).toMatch(/^✓ jobs/);
  expect(progressLine({ ...followed({ state: 'FAILED' }), isReached: false }, plain)).toMatch(/^✗ jobs/);
});

test('the line fits into every width, and leaves a column for the cursor', () => {
  const each = followed({ executors: { a: 'RUNNING', b: 'PENDING' } });
  for (let columns = 1; columns < 90; columns++) {
    for (const colour of [true, false]) expect(widthOf(progressLine(each, { now: NOW, paint: painter({ colour }), columns }))).toBeLessThan(columns);
  }
  expect(progressLine(each, { ...plain, columns: 24 }).slice(2)).toBe('jobs/pi RUNNING 1m12s');
  const long = { ...each, name: 'a-backfill-of-the-nightly-job-for-2026-03-01' };
  expect(progressLine(long, { ...plain, columns: 40 }).slice(2)).toBe('jobs/a-back…-2026-03-01 RUNNING 1m12s');
});

test('a narrow line omits the bar, the time and the reason before it omits a count', () => {
  const name = 'a-backfill-of-the-nightly-job-for-2026-03-01';
  const executors = { a: 'RUNNING', b: 'PENDING', c: 'PENDING', d: 'FAILED' };
  const each = { ...followed({ executors }), name };
  const counts = '1/4 executors 2 pending, 1 failed';
  for (const columns of [120, 90, 80, 70, 62]) expect(progressLine(each, { ...plain, columns })).toMatch(new RegExp(`^\\S jobs/a-b\\S*-01 RUNNING.* ${counts}$`));
  expect(progressLine(each, { ...plain, columns: 120 })).toContain('1m12s ███▒▒▒▒▒▒░░░ 1/4');
  expect(progressLine(each, { ...plain, columns: 80 }).slice(2)).toBe(`jobs/a-backfil…for-2026-03-01 RUNNING 1m12s ${counts}`);
  expect(progressLine(each, { ...plain, columns: 62 }).slice(2)).toBe(`jobs/a-b…26-03-01 RUNNING ${counts}`);
  const lost = { ...each, trouble: 'the stream was cut off by the network' };
  expect(progressLine(lost, { ...plain, columns: 80 })).toMatch(new RegExp(` ${counts}( no connection.*)?$`));
  const { application, ...others } = followed({ executors, status: { applicationState: { state: 'RUNNING' } } });
  const unattended = { ...others, application, operator: { isActive: false, evidence: 'x' } };
  expect(progressLine(unattended, { ...plain, columns: 80 }).slice(2)).toBe(`jobs/pi RUNNING (no operator) 1m12s ${counts}`);
  expect(progressLine(unattended, { ...plain, columns: 60 }).slice(2)).toBe(`jobs/pi RUNNING ${counts}`);
});

test('escapes control characters of names and messages', () => {
  const line = progressLine({ ...followed(), name: 'pi\x1b[2J', trouble: 'gone\x1b[1A' }, plain);
  // eslint-disable-next-line no-control-regex
  expect(line).not.toMatch(/\x1b/);
  expect(line).toContain('\\u001b[2J');
});

test('without a terminal, a line describes the change', () => {
  expect(progressText(followed({ executors: { a: 'RUNNING', b: 'PENDING' } }), NOW)).toBe('10:05:00 jobs/pi RUNNING, executors: 1 running, 1 pending');
  const waiting = followed({ status: { applicationState: { state: 'SUBMITTED', errorMessage: 'driver does not start: ImagePullBackOff: x' } } });
  expect(progressText(waiting, NOW)).toBe('10:05:00 jobs/pi SUBMITTED (ImagePullBackOff)');
  expect(progressText({ namespace: 'jobs', name: 'pi' }, NOW)).toBe('10:05:00 jobs/pi');
});
