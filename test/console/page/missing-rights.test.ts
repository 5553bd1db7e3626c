/* Parts that the user cannot list: the page never reports that there are none. */
import { emptyText, missingText, noScheduleText, unlistedText } from '../../../src/console/page/missing-rights';
import { Rows } from '../../../src/console/page/rows';

const HIDDEN = ['list pods in jobs', 'list events in jobs', 'list services in jobs', 'list ingresses.networking.k8s.io in jobs', 'list configmaps in jobs'];
const SCHEDULES = 'scheduledsparkapplications.sparkoperator.k8s.io';

function rowsWith(schedules: readonly string[], loading = false): Rows {
  const rows = new Rows();
  rows.apply({ loading, unlisted: { applications: [], schedules } });
  return rows;
}

test.each([
  ['overview', undefined],
  ['pods', 'You cannot list pods in jobs.'],
  ['logs', 'You cannot list pods in jobs.'],
  ['events', 'You cannot list events in jobs.'],
  ['objects', 'You cannot list services, ingresses.networking.k8s.io and configmaps in jobs.'],
  ['spec', undefined],
])('the tab %s reports what is missing on it', (tab, text) => {
  expect(missingText(tab, HIDDEN, 'jobs')).toBe(text);
  expect(missingText(tab, [], 'jobs')).toBeUndefined();
});

test.each([
  [[], 'There are no schedules.'],
  [['jobs'], `You cannot list ${SCHEDULES} in jobs: ask for this permission.`],
  [['a', 'b'], `You cannot list ${SCHEDULES} in a and b: ask for this permission.`],
  [['a', 'b', 'c', 'd', 'e', 'f', 'g'], `You cannot list ${SCHEDULES} in a, b, c, d, e and 2 more: ask for this permission.`],
  [['*'], `You cannot list ${SCHEDULES} in all namespaces. This page shows only namespaces where you can.`],
])('an empty list of schedules, of which the user cannot list those in %j', (namespaces, text) => {
  expect(emptyText('schedules', rowsWith(namespaces, namespaces.length > 0))).toBe(text);
  expect(emptyText('applications', rowsWith(namespaces))).toBe('There are no applications.');
  expect(unlistedText('schedules', rowsWith([]))).toBe('');
});

test('a list that was never read is not empty', () => {
  const rows = rowsWith([]);
  rows.apply({ trouble: 'the console cannot read from the API server' });
  expect(emptyText('schedules', rows)).toBe('The schedules cannot be read.');
  expect(emptyText('schedules', rowsWith([], true))).toBe('Reading the schedules…');
});

test('a schedule that the user cannot list might exist', () => {
  const visible = rowsWith(['*']);
  visible.apply({ schedules: { put: [{ namespace: 'jobs', name: 'other', uid: 'a', created: 0, schedule: '@daily', state: '' }] } });
  const none = 'There is no such schedule (any more).';
  expect([rowsWith([]), visible, rowsWith(['*']), rowsWith(['jobs'])].map((rows) => noScheduleText('jobs', rows))).toEqual([
    none, none, 'There is no such schedule (any more), or you cannot list schedules in jobs.', `You cannot list ${SCHEDULES} in jobs: ask for this permission.`,
  ]);
});
