/* Actions on several applications. */
import { bulkQuestion, doneText, headingOf, performBulk, planBulk, resultText, type BulkResult } from '../../../src/console/page/bulk';
import type { ApplicationRow, Permissions } from '../../../src/console/wire';

const ALL: Permissions = { change: true, remove: true, changeSchedules: true, forward: true };
const row = (name: string, more: Partial<ApplicationRow> = {}): ApplicationRow => (
  { namespace: 'team-a', name, uid: name, state: 'RUNNING', created: 0, attempts: 1, ...more }
);
const ROWS = [row('running'), row('paused', { suspended: true, state: 'SUSPENDED' }), row('done', { state: 'COMPLETED' }), row('b', { namespace: 'team-b' })];
const ALLOWED = new Map([['team-a', ALL], ['team-b', { ...ALL, change: false }]]);

test('only applications for which the action makes sense, and for which the user has the permission, are changed', () => {
  const { changed, skipped } = planBulk('suspend', ROWS, ALLOWED, false);
  expect(changed.map(({ name }) => name)).toEqual(['running']);
  expect(skipped.map(({ row: { name }, reason }) => `${name}: ${reason}`)).toEqual([
    'paused: it is suspended', 'done: it has ended', 'b: you have no permission for this in this namespace',
  ]);
  const namesOf = (id: 'resume' | 'rerun' | 'delete') => planBulk(id, ROWS, ALLOWED, false).changed.map(({ name }) => name);
  expect([namesOf('resume'), namesOf('rerun'), namesOf('delete')]).toEqual([
    ['paused'], ['running', 'done'], ['running', 'paused', 'done', 'b'],
  ]);
  expect(planBulk('delete', ROWS, ALLOWED, true).changed).toEqual([]);
});

test('the question has the number of applications that no operator handles', () => {
  const plan = planBulk('rerun', ROWS, ALLOWED, false);
  const question = 'Current runs stop. Driver pods and logs of current and ended runs are deleted. Each application starts from the beginning.';
  expect([() => false, ({ name }: ApplicationRow) => name === 'done', () => true].map((isUnattended) => bulkQuestion(plan, isUnattended))).toEqual([
    question, `${question} No operator handles 1 of them: the action has no effect until one does.`,
    `${question} No operator handles them: the action has no effect until one does.`,
  ]);
  expect(bulkQuestion(planBulk('delete', ROWS, ALLOWED, false), () => true)).not.toContain('operator');
  expect([doneText('rerun', false), doneText('rerun', true)]).toEqual(['will run again', 'will run again when an operator handles it']);
});

test('each application has its own result', async () => {
  const plan = planBulk('delete', ROWS, ALLOWED, false);
  const results: BulkResult[] = [];
  await performBulk(plan, async ({ name }) => { if (name === 'paused') throw new Error('it was deleted'); }, (result) => results.push(result), new AbortController().signal);
  expect(Object.fromEntries(results.map(({ row: { name }, error }) => [name, error]))).toEqual({
    running: undefined, paused: 'it was deleted', done: undefined, b: undefined,
  });
  expect([resultText(plan, []), resultText(plan, results)]).toEqual([
    'Delete: 0 of 4 applications', 'Delete: 3 of 4 applications; 1 failed',
  ]);
  expect([headingOf(plan), headingOf(planBulk('rerun', ROWS.slice(0, 1), ALLOWED, false))]).toEqual(['Delete 4 applications', 'Run 1 application again']);
});

test('an action that is stopped begins no other application', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({ ...ROWS[0]!, name: `running-${index}` }));
  const stop = new AbortController();
  const acted: string[] = [];
  await performBulk(planBulk('delete', rows, ALLOWED, false), async ({ name }) => {
    acted.push(name);
    stop.abort();
  }, () => undefined, stop.signal);
  expect(acted.length).toBeLessThan(10);
});
