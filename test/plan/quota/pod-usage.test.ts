import fc from 'fast-check';
import { amountText } from '../../../src/plan/demand/amounts';
import { podUsage } from '../../../src/plan/quota/pod-usage';
import type { Container, PodSpec } from '../../../src/model/kubernetes-objects';

const NANO = 10n ** 9n;
const usage = (spec: PodSpec) => Object.fromEntries([...podUsage(spec)].map(([name, amount]) => [name, amountText(name, amount, 'up')]));
const container = (name: string, requests: object, limits: object = {}, more: object = {}): Container => ({
  name, resources: { requests, limits }, ...more,
} as Container);

test('the sum of simultaneous containers, by all names that quotas use', () => {
  expect(usage({
    containers: [
      container('spark', { cpu: '1500m', memory: '2Gi' }, { 'memory': '2Gi', 'nvidia.com/gpu': '2' }),
      container('proxy', { 'cpu': 0.1, 'memory': '64Mi', 'ephemeral-storage': '1Gi' }, { cpu: '200m' }),
    ],
  })).toEqual({
    'pods': '1', 'count/pods': '1',
    'cpu': '1600m', 'requests.cpu': '1600m', 'memory': '2112Mi', 'requests.memory': '2112Mi', 'ephemeral-storage': '1Gi',
    'requests.ephemeral-storage': '1Gi', 'requests.nvidia.com/gpu': '2',
    'limits.cpu': '200m', 'limits.memory': '2Gi',
  });
});

test('an init container counts if it needs more than all later ones', () => {
  const containers = [container('spark', { cpu: '1', memory: '4Gi' })];
  expect(usage({
    initContainers: [container('load', { cpu: '3', memory: '1Gi' })], containers,
  })).toMatchObject({ cpu: '3', memory: '4Gi' });
});

test('a restarted init container counts together with the containers after it', () => {
  const initContainers = [container('log', { cpu: '1' }, {}, { restartPolicy: 'Always' }), container('load', { cpu: '3' })];
  expect(usage({ initContainers, containers: [container('spark', { cpu: '2' })] })).toMatchObject({ cpu: '4' });
  expect(usage({
    initContainers: [...initContainers].reverse(), containers: [container('spark', { cpu: '2' })],
  })).toMatchObject({ cpu: '3' });
});

test('without a request the limit is the request; the overhead of a RuntimeClass is added; amounts of the pod replace those of its '
  + 'containers', () => {
  expect(usage({ containers: [container('spark', {}, { cpu: '2' })], overhead: { cpu: '250m', memory: '120Mi' } } as any)).toMatchObject({
    'requests.cpu': '2250m', 'limits.cpu': '2250m', 'requests.memory': '120Mi',
  });
  expect(usage({
    containers: [container('spark', { cpu: '2' })], resources: { requests: { cpu: '5' } },
  } as any)).toMatchObject({ 'requests.cpu': '5' });
});

test('unreadable amounts and null count as nothing', () => {
  expect(usage({ containers: [container('spark', { cpu: 'lots', memory: null }), { name: 'b', resources: null } as any] })).toEqual({
    'pods': '1', 'count/pods': '1',
  });
});

/**
 * Calculates the usage of a pod by simulating its life: the maximum over all times of the
 * containers that run.
 */
function byItsLife({ initContainers = [], containers = [] }: PodSpec): bigint {
  const cpu = ({ resources }: Container) => BigInt(Math.round(Number(String(resources?.requests?.cpu).replace('m', ''))));
  const times = initContainers.map((one, index) => [
    ...initContainers.slice(0, index).filter(({ restartPolicy }) => restartPolicy === 'Always'), one,
  ]);
  const atTheEnd = [...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always'), ...containers];
  return [...times, atTheEnd].map((running) => running.reduce((sum, one) => sum + cpu(one), 0n)).reduce((a, b) => (a > b ? a : b), 0n);
}

test('any pod takes the maximum over its life', () => {
  const some = fc.record({
    name: fc.constant('c'),
    resources: fc.record({ requests: fc.record({ cpu: fc.integer({ min: 0, max: 5000 }).map((amount) => `${amount}m`) }) }),
  });
  const beforehand = fc.tuple(some, fc.boolean()).map(([one, stays]) => ({ ...one, ...(stays && { restartPolicy: 'Always' }) }));
  fc.assert(fc.property(fc.array(beforehand, { maxLength: 5 }), fc.array(
    some, { minLength: 1, maxLength: 4 },
  ), (initContainers, containers) => {
    const pod = { initContainers, containers } as PodSpec;
    expect(podUsage(pod).get('cpu')).toBe(byItsLife(pod) * NANO / 1000n);
  }));
});
