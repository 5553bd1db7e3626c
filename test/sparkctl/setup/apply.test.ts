/* Applying with a fake API server. test/api/sparkctl-setup.test.ts has tests with a real one. */
import { ApiError, type Status } from '../../../src/kube/errors';
import type { KubeObject } from '../../../src/kube/objects';
import { applyObject, preflight, type ApplyClient } from '../../../src/sparkctl/setup/apply';
import { refusalText } from '../../../src/sparkctl/setup/refusals';

const NAMESPACE: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ops' } };
const ACCOUNT: KubeObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'spark', namespace: 'ops' } };
const DEPLOYMENT: KubeObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'o', namespace: 'ops' } };
const OPTIONS = { installation: 'ops', dryRun: false, force: false, signal: new AbortController().signal };

/** Fake API server with objects, and errors of patches by the name of the object. */
function server(there: readonly KubeObject[], errors: Readonly<Record<string, [number, Status]>> = {}) {
  const bodies: any[] = [];
  const call = (verb: string, name: string) => ({ verb, resource: 'x', name });
  const client = {
    get: async (_: unknown, { name }: { readonly name: string }) => {
      const found = there.find(({ metadata }) => metadata.name === name);
      if (!found) throw new ApiError(call('get', name), 404);
      return found;
    },
    patch: async (_: unknown, { name }: { readonly name: string }, { body }: { readonly body: any }) => {
      if (errors[name]) throw new ApiError(call('patch', name), ...errors[name]);
      bodies.push(body);
      const before = there.find(({ metadata }) => metadata.name === name);
      return { ...before, ...body, metadata: { ...before?.metadata, ...body.metadata, resourceVersion: '9', labels: { ...before?.metadata.labels, ...body.metadata.labels } } };
    },
  };
  return { client: client as unknown as ApplyClient, bodies };
}

const OURS = { 'app.kubernetes.io/managed-by': 'sparkctl', 'sparkoperator.k8s.io/installation': 'ops' };
const USED = { 'sparkoperator.k8s.io/installation': 'ops' };
const there = (object: KubeObject, labels?: Record<string, string>): KubeObject => ({ ...object, metadata: { ...object.metadata, resourceVersion: '1', labels } });

test('distinguishes created, changed and unchanged objects', async () => {
  expect(await applyObject(server([]).client, ACCOUNT, OPTIONS)).toEqual({ outcome: 'created' });
  expect(await applyObject(server([there(ACCOUNT, OURS)]).client, ACCOUNT, OPTIONS)).toEqual({ outcome: 'unchanged' });
  expect(await applyObject(server([there(ACCOUNT)]).client, ACCOUNT, OPTIONS)).toMatchObject({ outcome: 'changed' });
});

test('an object that only another writer changed meanwhile is unchanged', async () => {
  const managed = (time: string) => [{ manager: 'sparkctl', operation: 'Apply', time, fieldsV1: {} }];
  const before = { ...there(DEPLOYMENT, OURS), metadata: { ...there(DEPLOYMENT, OURS).metadata, managedFields: managed('2026-03-01T10:00:00Z') } };
  const outcomeWhen = async (time: string) => {
    const after = { ...before, metadata: { ...before.metadata, annotations: { 'deployment.kubernetes.io/revision': '1' }, managedFields: managed(time) } };
    return (await applyObject({ get: async () => before, patch: async () => after } as unknown as ApplyClient, DEPLOYMENT, OPTIONS)).outcome;
  };
  expect(await outcomeWhen('2026-03-01T10:00:00Z')).toBe('unchanged');
  expect(await outcomeWhen('2026-03-01T10:00:05Z')).toBe('changed');
});

describe.each([NAMESPACE, ACCOUNT, DEPLOYMENT])('$kind', (object) => {
  const applied = async (before: readonly KubeObject[]) => {
    const { client, bodies } = server(before);
    const { stays } = await applyObject(client, object, OPTIONS);
    return { labels: bodies[0].metadata.labels, stays };
  };

  test('a created object is labelled for removal', async () => {
    expect(await applied([])).toEqual({ labels: OURS, stays: undefined });
    expect(await applied([there(object, OURS)])).toEqual({ labels: OURS, stays: undefined });
  });

  test('an object that existed before is not', async () => {
    const stays = expect.stringContaining('it existed before');
    expect(await applied([there(object)])).toEqual({ labels: USED, stays });
    expect(await applied([there(object, { ...USED, 'app.kubernetes.io/managed-by': 'Helm' })])).toEqual({ labels: USED, stays });
  });

  test('an object of another operator keeps its owner', async () => {
    const theirs = { ...OURS, 'sparkoperator.k8s.io/installation': 'other' };
    expect(await applied([there(object, theirs)])).toEqual({ labels: theirs, stays: expect.stringContaining('it belongs to the operator in the namespace other') });
  });
});

test('an object in a namespace of the installation is validated later; in another missing namespace it is rejected', async () => {
  const missing: [number, Status] = [404, { message: 'namespaces "ops" not found' }];
  const [, account] = await preflight(server([], { spark: missing }).client, [NAMESPACE, ACCOUNT], OPTIONS);
  expect(account).toEqual({ object: ACCOUNT, outcome: 'created', isUnchecked: true });

  const [alone] = await preflight(server([], { spark: missing }).client, [ACCOUNT], OPTIONS);
  expect(refusalText([alone as any, alone as any])).toBe('there is no namespace ops; nothing was changed. Create it, or add --create-job-namespaces if it is a job namespace');
  const elsewhere = { ...alone!, object: { ...ACCOUNT, metadata: { ...ACCOUNT.metadata, namespace: 'jobs' } } };
  expect(refusalText([alone as any, elsewhere as any])).toBe('there are no namespaces ops, jobs; nothing was changed. Create them, or add --create-job-namespaces if they are job namespaces');
});

test('reports the managers of conflicting fields, with the remedy', async () => {
  const causes = ['.spec.replicas', '.metadata.labels.a'].map((field) => ({ reason: 'FieldManagerConflict', message: 'conflict with "helm" using apps/v1', field }));
  const refused = await preflight(server([], { o: [409, { reason: 'Conflict', message: 'Apply failed', details: { causes } }] }).client, [DEPLOYMENT], OPTIONS);
  expect(refusalText(refused as any)).toBe(`other managers have set fields to other values; nothing was changed:
  Deployment ops/o: spec.replicas (helm), metadata.labels.a (helm)
Change them there, or take them over: add --force-conflicts`);
});

test.each<[number, Status, string]>([
  [404, { message: 'the server could not find the requested resource' }, 'the cluster does not know Deployment (apps/v1); install its CRD first, or omit the option that needs it'],
  [403, { message: 'user "jane" is attempting to grant RBAC permissions not currently held' }, 'you cannot grant permissions that you do not have: installing needs cluster-admin, or the verbs escalate and bind'],
  [403, { message: 'jane cannot patch deployments' }, 'jane cannot patch deployments; ask for the permission, or for an installation by a user who has it'],
  [
    403, { message: 'deployments.apps "o" is forbidden: User "jane" cannot patch resource "deployments" in API group "apps" in the namespace "ops"' },
    'you cannot patch x at the cluster scope; ask for the permission, or for an installation by a user who has it (403 Forbidden for jane)',
  ],
  [422, { message: 'Deployment "o" is invalid' }, 'Deployment "o" is invalid'],
])('%d %j', async (status, answer, text) => {
  const refused = await preflight(server([], { o: [status, answer] }).client, [DEPLOYMENT], OPTIONS);
  expect(refusalText(refused as any)).toContain(`  Deployment ops/o: ${text}`);
});
