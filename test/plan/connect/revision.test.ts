/* Changes that replace a server. */
import type { SparkConnect } from '../../../src/model/spark-connect';
import { isRevisionChanged, revisionOf } from '../../../src/plan/connect/revision';
import { SPEC } from '../../operator/kinds/spark-connect/operator';

const connect = (spec: object = {}, generation = 1) => ({ metadata: { name: 'nb', namespace: 'jobs', uid: 'connect', generation }, spec: { ...SPEC, ...spec } }) as SparkConnect;
const podOf = (made: SparkConnect) => ({ metadata: { name: 'nb-server', labels: { 'sparkoperator.k8s.io/revision': revisionOf(made) } } });

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
