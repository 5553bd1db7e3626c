import type { SparkConnect } from '../../../src/operator/spark-connect/model';
import { isRevisionChanged, revisionOf, startIdOf, terminationTime } from '../../../src/operator/spark-connect/start';
import { SPEC } from './operator';

const connect = (spec: object = {}, generation = 1, status?: object) => ({ metadata: { name: 'nb', namespace: 'jobs', uid: 'connect', generation }, spec: { ...SPEC, ...spec }, status }) as SparkConnect;
const podOf = (made: SparkConnect) => ({ metadata: { name: 'nb-server', labels: { 'sparkoperator.k8s.io/revision': revisionOf(made) } } });

test('each end makes another start, also of two ends in the same second', () => {
  const first = terminationTime({}, Date.parse('2026-03-01T10:00:00Z'));
  const second = terminationTime({ lastTerminationTime: first }, Date.parse('2026-03-01T10:00:00.400Z'));
  expect([first, second]).toEqual(['2026-03-01T10:00:00Z', '2026-03-01T10:00:01Z']);
  const ids = [undefined, first, second].map((lastTerminationTime) => startIdOf(connect({}, 1, { lastTerminationTime })));
  expect(new Set(ids).size).toBe(3);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test.each([
  [{ image: 'other' }, true],
  [{ sparkConf: { 'spark.x': '1' } }, true],
  [{ server: { template: { metadata: { labels: { a: 'b' } } } } }, true],
  [{ executor: { instances: 3 } }, true],
  [{ dynamicAllocation: { enabled: true } }, true],
  [{ sparkConf: {} }, false],
  [{ suspend: false }, false],
  [{ idleTimeToLiveSeconds: 5 }, false],
  [{ restartPolicy: { type: 'Never' } }, false],
  [{ sparkUIOptions: { serviceLabels: { a: 'b' } } }, false],
  [{ server: { service: { metadata: { name: 'other' }, spec: { type: 'LoadBalancer' } } } }, false],
])('%j replaces the server: %s', (spec, expected) => {
  expect(isRevisionChanged(podOf(connect()), connect(spec, 2))).toBe(expected);
});

test('the order of fields does not matter, and the same generation is the same specification, whatever another version makes of it', () => {
  const [one, other] = [{ sparkConf: { a: '1', b: '2' } }, { sparkConf: { b: '2', a: '1' } }];
  expect(isRevisionChanged(podOf(connect(one)), connect(other, 2))).toBe(false);
  expect(isRevisionChanged(podOf(connect({}, 2)), connect({ image: 'by a default of a later CRD' }, 2))).toBe(false);
});
