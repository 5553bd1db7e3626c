import { DEFAULT_LOCK, writerOf } from '../../src/model/installation';

test('installations write under names of their own', () => {
  expect(writerOf('ops', DEFAULT_LOCK)).toBe('cdk8s-spark-operator.ops');
  expect(writerOf('more', DEFAULT_LOCK)).toBe('cdk8s-spark-operator.more');
  expect(writerOf('ops', 'second')).toBe('cdk8s-spark-operator.ops.second');
  expect(writerOf(undefined, DEFAULT_LOCK)).toBe('cdk8s-spark-operator');
});

test('a name is as long as the API server keeps it', () => {
  expect(writerOf('ops', 'l'.repeat(253))).toHaveLength(128);
});
