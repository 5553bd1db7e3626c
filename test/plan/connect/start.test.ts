import type { SparkConnect } from '../../../src/model/spark-connect';
import { startIdOf, terminationTime } from '../../../src/plan/connect/start';
import { SPEC } from '../../operator/kinds/spark-connect/operator';

const connect = (spec: object = {}, generation = 1, status?: object) => ({ metadata: { name: 'nb', namespace: 'jobs', uid: 'connect', generation }, spec: { ...SPEC, ...spec }, status }) as SparkConnect;

test('each end makes another start, also of two ends in the same second', () => {
  const first = terminationTime({}, Date.parse('2026-03-01T10:00:00Z'));
  const second = terminationTime({ lastTerminationTime: first }, Date.parse('2026-03-01T10:00:00.400Z'));
  expect([first, second]).toEqual(['2026-03-01T10:00:00Z', '2026-03-01T10:00:01Z']);
  const ids = [undefined, first, second].map((lastTerminationTime) => startIdOf(connect({}, 1, { lastTerminationTime })));
  expect(new Set(ids).size).toBe(3);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test('a time of a clock that ran ahead and was set right is given up: the waits of later ends count again', () => {
  expect(terminationTime({ lastTerminationTime: '2026-03-02T10:00:00Z' }, Date.parse('2026-03-01T10:00:00Z'))).toBe('2026-03-01T10:00:00Z');
});
