/* Checks of the cluster, its nodes and the CRDs. */
import { bundledCrds } from '../setup/crds';
import { SPARK_APPLICATION } from '../../../src/api/spark-application';
import { clusterFinding } from '../../../src/sparkctl/doctor/cluster';
import { crdFinding } from '../../../src/sparkctl/doctor/crds';
import type { Reading } from '../../../src/sparkctl/doctor/reading';
import { nodesFinding } from '../../../src/sparkctl/doctor/nodes';

const found = <T>(value: T): Reading<T> => ({ kind: 'found', value });
const FORBIDDEN: Reading<never> = { kind: 'forbidden', call: { verb: 'get', resource: 'customresourcedefinitions', name: 'x' } };
const URL = 'https://cluster.example';

describe('the cluster', () => {
  test.each<[Reading<{ gitVersion: string }>, string, string]>([
    [found({ gitVersion: 'v1.34.4' }), 'ok', 'Kubernetes v1.34.4 at https://cluster.example'],
    [found({ gitVersion: 'v1.30.0-eks-a1b2c3' }), 'ok', 'Kubernetes v1.30.0-eks-a1b2c3'],
    [found({ gitVersion: 'v2.0.0' }), 'ok', 'v2.0.0'],
    [found({ gitVersion: 'v1.29.15' }), 'error', 'is older than v1.30, the oldest version that the operator supports'],
    [found({ gitVersion: 'unknown' }), 'warning', 'it is unknown whether this is new enough'],
    [{ kind: 'failed', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' }, 'error', 'does not answer: connect ECONNREFUSED'],
    [{ kind: 'failed', message: '401 Unauthorized', code: '401' }, 'error', 'does not know the user'],
    [{ kind: 'missing' }, 'error', 'not as an API server of Kubernetes does'],
    [FORBIDDEN, 'not allowed', 'this user cannot read its version'],
  ])('%j', (looked, level, message) => {
    expect(clusterFinding(looked, URL)).toMatchObject({ check: 'Cluster', level, message: expect.stringContaining(message) });
  });
});

test.each([
  ['ECONNREFUSED', 'the API server cannot be reached: check its URL (`kubectl config view --minify`), the network and the VPN'],
  ['CERT_HAS_EXPIRED', 'the kubeconfig does not trust its certificate: the kubeconfig might be outdated'],
  ['503', 'kubectl cluster-info'],
])('the remedy for a cluster that does not answer with %s', (code, remedy) => {
  expect(clusterFinding({ kind: 'failed', code, message: 'x' }, URL)).toMatchObject({ level: 'error', remedy });
});

describe('a CRD', () => {
  const established = { conditions: [{ type: 'Established', status: 'True' }, { type: 'NamesAccepted', status: 'True' }] };
  const finding = async (change?: (crd: any) => void) => {
    const own = (await bundledCrds()).find(({ metadata }) => metadata.name.startsWith('sparkapplications.'))!;
    const crd = structuredClone({ ...own, status: established }) as any;
    change?.(crd);
    return crdFinding(SPARK_APPLICATION, change ? found(crd) : found({ ...own, status: established }), own, 'sparkctl install');
  };
  const schemaOf = (crd: any) => crd.spec.versions[0].schema.openAPIV3Schema.properties;

  test('of this version', async () => {
    expect(await finding()).toEqual({ check: 'CRDs', level: 'ok', message: 'sparkapplications.sparkoperator.k8s.io exists, and is that of this version' });
  });

  test.each<[string, (crd: any) => void, string, string]>([
    ["kubeflow's", (crd) => { for (const field of ['specHash', 'conditions', 'observedGeneration', 'appliedDefaults', 'deadlineTime']) delete schemaOf(crd).status.properties[field]; }, 'warning', "is that of kubeflow's operator"],
    ['an older one', (crd) => { delete schemaOf(crd).spec.properties.activeDeadlineSeconds; }, 'warning', 'is from an earlier version: it drops spec.activeDeadlineSeconds'],
    ['a newer one', (crd) => { schemaOf(crd).spec.properties.news = { type: 'string' }; }, 'warning', 'is from a later version than this sparkctl'],
    ['one that is not established', (crd) => { crd.status = { conditions: [{ type: 'NamesAccepted', status: 'False', message: 'the short name is taken' }] }; }, 'error', 'does not serve the CRD sparkapplications.sparkoperator.k8s.io yet: the short name is taken'],
    ['one that is being deleted', (crd) => { crd.metadata.deletionTimestamp = '2026-03-01T00:00:00Z'; }, 'error', 'is being deleted, and all SparkApplications with it'],
    ['one that does not serve the version', (crd) => { crd.spec.versions[0].name = 'v1'; }, 'error', 'serves v1, and not v1beta2'],
  ])('%s', async (_, change, level, message) => {
    expect(await finding(change)).toMatchObject({ level, message: expect.stringContaining(message), remedy: expect.any(String) });
  });

  test('that does not exist, or cannot be read', async () => {
    const [own] = await bundledCrds() as [any];
    expect(crdFinding(SPARK_APPLICATION, { kind: 'missing' }, own, 'sparkctl install')).toMatchObject({ level: 'error', remedy: 'sparkctl install' });
    expect(crdFinding(SPARK_APPLICATION, FORBIDDEN, own, '')).toEqual({
      check: 'CRDs', level: 'not allowed', message: 'you cannot read the CRD sparkapplications.sparkoperator.k8s.io', remedy: 'kubectl auth can-i get customresourcedefinitions -A',
    });
  });
});

describe('the nodes', () => {
  const node = (name: string, ready: string, unschedulable = false) => ({ metadata: { name }, spec: { unschedulable }, status: { conditions: [{ type: 'Ready', status: ready }] } });
  test.each([
    [[], 'error', 'the cluster has no nodes: no driver can start'],
    [[node('a', 'True')], 'ok', '1 of 1 node accepts pods'],
    [[node('a', 'True'), node('b', 'True', true)], 'ok', '1 of 2 nodes accept pods (cordoned: b)'],
    [[node('a', 'True'), node('b', 'Unknown')], 'warning', '1 of 2 nodes accept pods (not ready: b)'],
    [[node('b', 'False'), node('c', 'True', true)], 'error', '0 of 2 nodes accept pods (not ready: b; cordoned: c): no driver can start'],
  ])('%j', (nodes, level, message) => {
    expect(nodesFinding(found(nodes))).toMatchObject({ level, message });
  });
});
