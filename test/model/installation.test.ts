import { DEFAULT_LOCK, writerOf } from '../../src/model/installation';

test('installations write under names of their own', () => {
  expect(writerOf('ops', { lock: DEFAULT_LOCK })).toBe('cdk8s-spark-operator.ops');
  expect(writerOf('more', { lock: DEFAULT_LOCK })).toBe('cdk8s-spark-operator.more');
  expect(writerOf('ops', { lock: 'second' })).toBe('cdk8s-spark-operator.ops.second');
  expect(writerOf(undefined, { lock: DEFAULT_LOCK })).toBe('cdk8s-spark-operator');
});

test('without a Lease, two processes of a namespace write under different names', () => {
  const [one, other] = ['operator-7c9f-x2x4z', 'operator-7c9f-b8k2p'].map((instance) => writerOf('o'.repeat(63), { instance }));
  expect(one).toBe(`cdk8s-spark-operator.operator-7c9f-x2x4z.${'o'.repeat(63)}`);
  expect(one).not.toBe(other);
});

test('a name is as long as the API server keeps it', () => {
  expect(writerOf('ops', { lock: 'l'.repeat(253) })).toHaveLength(128);
});
