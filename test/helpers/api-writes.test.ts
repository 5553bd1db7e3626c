import { applyObjects, createToken, objectsOf } from './api-writes';

test('objects of documents and lists, one by one', () => {
  expect(objectsOf('kind: A\n---\nkind: List\nitems: [{kind: B}, {kind: C}]\n---\n')).toEqual([{ kind: 'A' }, { kind: 'B' }, { kind: 'C' }]);
  expect(objectsOf([{ kind: 'A' }])).toEqual([{ kind: 'A' }]);
  expect(objectsOf({ kind: 'A' })).toEqual([{ kind: 'A' }]);
});

test('they are applied in their order, where their kinds are; each kind is looked up once', async () => {
  const asked: string[] = [];
  const lists: Record<string, unknown> = {
    '/api/v1': { resources: [{ name: 'pods/status', kind: 'Pod', namespaced: true }, { name: 'pods', kind: 'Pod', namespaced: true }, { name: 'namespaces', kind: 'Namespace', namespaced: false }] },
    '/apis/apps/v1': { resources: [{ name: 'deployments', kind: 'Deployment', namespaced: true }] },
  };
  const api = { must: async (method: string, path: string) => (asked.push(`${method} ${path.replace(/\?.*/, '')}`), lists[path]) };
  const pod = (namespace?: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace } });
  await applyObjects([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'jobs' } }, pod('jobs'), pod(), { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'b', namespace: 'jobs' } }], api);
  expect(asked).toEqual([
    'GET /api/v1', 'PATCH /api/v1/namespaces/jobs', 'PATCH /api/v1/namespaces/jobs/pods/a', 'PATCH /api/v1/namespaces/default/pods/a',
    'GET /apis/apps/v1', 'PATCH /apis/apps/v1/namespaces/jobs/deployments/b',
  ]);
  await expect(applyObjects([{ apiVersion: 'apps/v1', kind: 'Nothing', metadata: { name: 'c' } }], api)).rejects.toThrow('the API server has no kind Nothing in apps/v1');
});

test('a token of a service account', async () => {
  const api = { must: async (_: string, path: string, body?: any) => ({ status: { token: `${path} ${body.spec.expirationSeconds}` } }) };
  expect(await createToken('jobs', 'spark', 60, api)).toBe('/api/v1/namespaces/jobs/serviceaccounts/spark/token 60');
});
