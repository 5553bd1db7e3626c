import { countsPod, readQuota } from '../../../src/plan/quota/resource-quota';
import type { PodSpec } from '../../../src/model/kubernetes-objects';

const quota = (spec: object, status?: object) => readQuota({
  metadata: { namespace: 'jobs', name: 'q' }, spec, ...(status && { status }),
} as any);
const pod = (more: object = {}, resources: object = { requests: { cpu: '1' } }): PodSpec => ({
  containers: [{ name: 'spark', resources }], ...more,
} as PodSpec);
const scope = (scopeName: string, operator = 'Exists', values?: string[]) => ({
  scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values && { values }) }] },
});
const affinity = (term: object) => ({
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'zone', ...term } }],
    },
  },
});

const batch = { priorityClassName: 'batch' };
const deadline = { activeDeadlineSeconds: 60 };

test.each<[string, object, PodSpec, boolean]>([
  ['no scope', {}, pod(), true],
  ['Terminating', { scopes: ['Terminating'] }, pod(deadline), true],
  ['Terminating', { scopes: ['Terminating'] }, pod(), false],
  ['NotTerminating', { scopes: ['NotTerminating'] }, pod(), true],
  ['NotTerminating', scope('NotTerminating'), pod(deadline), false],
  ['NotBestEffort', { scopes: ['NotBestEffort'] }, pod(), true],
  ['NotBestEffort', { scopes: ['NotBestEffort'] }, pod({}, {}), false],
  ['BestEffort', { scopes: ['BestEffort'] }, pod({}, {}), true],
  ['BestEffort', { scopes: ['BestEffort'] }, pod({}, { limits: { memory: '1Gi' } }), false],
  ['BestEffort', { scopes: ['BestEffort'] }, pod({ resources: { requests: { cpu: '1' } } }, {}), false],
  ['two scopes, both met', { scopes: ['NotTerminating', 'NotBestEffort'] }, pod(), true],
  ['two scopes, one met', { scopes: ['Terminating', 'NotBestEffort'] }, pod(), false],
  ['PriorityClass In', scope('PriorityClass', 'In', ['batch']), pod(batch), true],
  ['PriorityClass In', scope('PriorityClass', 'In', ['batch']), pod({ priorityClassName: 'other' }), false],
  ['PriorityClass In', scope('PriorityClass', 'In', ['batch']), pod(), false],
  ['PriorityClass NotIn', scope('PriorityClass', 'NotIn', ['batch']), pod(batch), false],
  ['PriorityClass NotIn', scope('PriorityClass', 'NotIn', ['batch']), pod(), true],
  ['PriorityClass Exists', scope('PriorityClass', 'Exists'), pod(batch), true],
  ['PriorityClass', { scopes: ['PriorityClass'] }, pod(), false],
  ['PriorityClass DoesNotExist', scope('PriorityClass', 'DoesNotExist'), pod(), true],
  ['PriorityClass DoesNotExist', scope('PriorityClass', 'DoesNotExist'), pod(batch), false],
  ['CrossNamespacePodAffinity', scope('CrossNamespacePodAffinity'), pod(affinity({ namespaces: ['a'] })), true],
  ['CrossNamespacePodAffinity', scope('CrossNamespacePodAffinity'), pod(affinity({ namespaceSelector: {} })), true],
  ['CrossNamespacePodAffinity', scope('CrossNamespacePodAffinity'), pod(affinity({})), false],
  ['a scope of volumes', scope('VolumeAttributesClass'), pod(), false],
])('%s: %j', (_, spec, given, expected) => {
  expect(countsPod(quota(spec), given)).toBe(expected);
});

test('the status applies, because the specification might not be in force yet; without a status the specification applies', () => {
  expect(quota({ hard: { cpu: '1' } }, { hard: { cpu: '2' }, used: { cpu: '500m' } })).toMatchObject({
    hard: new Map([['cpu', 2_000_000_000n]]), used: new Map([['cpu', 500_000_000n]]),
  });
  expect(quota({ hard: { cpu: '1' } })).toMatchObject({ name: 'jobs/q', hard: new Map([['cpu', 1_000_000_000n]]), used: new Map() });
});
