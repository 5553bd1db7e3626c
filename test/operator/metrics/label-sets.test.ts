import { labelNames, LabelSets } from '../../../src/operator/metrics/label-sets';
import { application } from './helpers';

const labelled = (labels: Record<string, string> | undefined, namespace = 'jobs') => application(undefined, {}, { labels, namespace });
const setsOf = (names: string[], limit?: number) => new LabelSets(labelNames(names), (labels) => labels, limit);

test.each([
  ['app-type', 'app_type'],
  ['app.kubernetes.io/name', 'app_kubernetes_io_name'],
  ['1st', '_1st'],
  ['team', 'team'],
])('the label %s becomes %s', (label, name) => {
  expect(labelNames([label, label])).toEqual([name]);
  expect(setsOf([label]).of(labelled({ [label]: 'etl' }))).toEqual({ [name]: 'etl' });
});

test('labels reserved by Prometheus are rejected at the start', () => {
  for (const name of ['le', 'quantile', '__name__', '--x']) expect(() => labelNames([name])).toThrow(RangeError);
});

test('values are those of the application, its namespace, or Unknown for missing labels', () => {
  const sets = setsOf(['app_type', 'team', 'namespace', 'constructor']);
  expect(sets.of(labelled({ 'app-type': 'etl', 'namespace': 'elsewhere' }))).toEqual({
    app_type: 'etl', team: 'Unknown', namespace: 'jobs', constructor: 'Unknown',
  });
  expect(sets.of(labelled(undefined, 'more'))).toEqual({ app_type: 'Unknown', team: 'Unknown', namespace: 'more', constructor: 'Unknown' });
  expect(sets.ofNamespace('more')).toBe(sets.of(labelled(undefined, 'more')));
});

test('applications with the same values share a set', () => {
  const sets = setsOf(['team', 'stage']);
  expect(sets.of(labelled({ team: 'a', stage: 'b', more: '1' }))).toBe(sets.of(labelled({ stage: 'b', team: 'a' })));
  expect(sets.of(labelled({ team: 'a', stage: 'bc' }))).not.toBe(sets.of(labelled({ team: 'ab', stage: 'c' })));
});

test('a label that differs on each application does not fill the memory: applications beyond the limit share a set', () => {
  const sets = setsOf(['id', 'namespace'], 3);
  const applications = ['1', '2', '3', '4', '5'].map((id) => labelled({ id }));
  const found = applications.map((each) => sets.of(each));
  expect(found.map(({ id }) => id)).toEqual(['1', '2', '3', 'other', 'other']);
  expect(found[4]).toEqual({ id: 'other', namespace: 'other' });
  expect(found[4]).toBe(found[3]);
  expect(sets.all()).toHaveLength(4);
  expect(sets.of(labelled({ id: '2' }))).toBe(found[1]);
});
