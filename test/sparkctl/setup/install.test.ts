/* `sparkctl install` without a cluster. test/api/sparkctl-setup.test.ts has tests with one. */
import { parseAllDocuments } from 'yaml';
import { ApiError } from '../../../src/kube/errors';
import { sparkctl } from '../helpers';
import { find } from '../../constructs/operator-objects';

jest.mock('../../../src/sparkctl/setup/bundled', () => jest.requireActual('./crds'));

async function printed(args: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<any[]> {
  const { code, stdout, stderr } = await sparkctl(['install', ...args, '--print'], { files });
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
  return parseAllDocuments(stdout).map((document) => document.toJS());
}

test('--print prints the manifests with their labels, the CRDs first', async () => {
  const objects = await printed(['--job-namespace', 'team-a', '--job-namespace=team-b,team-c', '--replicas=2', '--webhook', '--console', '-n', 'operators', '--image', 'example.org/operator:1']);

  expect(objects.slice(0, 3).map(({ kind }) => kind)).toEqual(Array(3).fill('CustomResourceDefinition'));
  expect(objects[0].metadata.labels).toBeUndefined();
  for (const { metadata } of objects.slice(3)) expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'sparkctl', 'sparkoperator.k8s.io/installation': 'operators' });
  const { replicas, template: { spec: { containers: [container] } } } = find(objects, 'Deployment', 'spark-operator', 'operators').spec;
  expect({ replicas, image: container.image }).toEqual({ replicas: 2, image: 'example.org/operator:1' });
  expect(container.args).toEqual(expect.arrayContaining(['--namespaces=team-a,team-b,team-c', '--webhook=here']));
  expect(find(objects, 'Deployment', 'spark-operator-console', 'operators').spec.template.spec.containers[0]).toMatchObject({ image: 'example.org/operator:1', args: expect.arrayContaining(['console']) });
});

test('--values sets props that have no option', async () => {
  const objects = await printed(['--values', 'v.yaml', '--replicas=3'], { 'v.yaml': 'namespace: ops\nreplicas: 1\nnodeSelector: {pool: system}\n' });
  expect(find(objects, 'Deployment', 'spark-operator', 'ops').spec).toMatchObject({ replicas: 3, template: { spec: { nodeSelector: { pool: 'system' } } } });
});

test('--dry-run=client prints the objects that would be applied', async () => {
  const { code, stdout } = await sparkctl(['install', '--dry-run=client']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^CustomResourceDefinition \S+\.sparkoperator\.k8s\.io \(client dry run\)\n/);
  expect(stdout).toContain('\nDeployment spark-operator/spark-operator (client dry run)\n');
});

test('--dry-run=server prints what would change, and once what the cluster cannot validate yet', async () => {
  const missing = (verb: string, message: string) => new ApiError({ verb, resource: 'x' }, 404, { message });
  const client = {
    get: async () => { throw missing('get', 'not found'); },
    // Only the namespace default exists.
    patch: async (_: unknown, { namespace }: { readonly namespace?: string }, { body }: { readonly body: object }) => {
      if (namespace !== undefined && namespace !== 'default') throw missing('patch', `namespaces "${namespace}" not found`);
      return body;
    },
    listPage: async () => ({ items: [] }),
    close: () => {},
  } as any;
  const { code, stdout, stderr } = await sparkctl(['install', '--dry-run=server', '--job-namespace=jobs', '--create-job-namespaces'], { cluster: { client } });
  expect(code).toBe(0);
  for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^would be created {2}\S+ \S+$/);
  const objects = stdout.split('\n').filter((line) => / (spark-operator|jobs)\//.test(line));
  expect(objects).toContain('would be created  Deployment spark-operator/spark-operator');
  expect(stderr).toEqual([`The cluster can validate ${objects.length} objects only once their namespaces exist: spark-operator, jobs`]);
});

test.each([
  [['now'], 2, 'sparkctl install: install takes no now; use options to configure it'],
  [['--replicas=many', '--namespace=Ops', '--job-namespace=,'], 2, 'sparkctl install: --namespace=Ops: write the name of a namespace'],
  [['--timeout=5'], 2, 'sparkctl install: --timeout=5: write a duration such as 90s, 5m or 1h'],
  [['--job-namespace=spark-operator'], 2, 'sparkctl install: jobNamespaces[0] = "spark-operator" is the operator\'s own namespace'],
  [['--values=none.yaml'], 1, 'sparkctl install: none.yaml: there is no such file; check the path'],
  // The command line is right, and its usage no help.
  [['--values=twice.yaml'], 1, 'sparkctl install: twice.yaml:2:1: invalid YAML: Map keys must be unique'],
  [['--print', '--dry-run=server'], 2, 'sparkctl install: --print prints manifests, and --dry-run changes; omit one of them'],
])('%j', async (args, code, message) => {
  expect(await sparkctl(['install', ...args], { files: { 'twice.yaml': 'replicas: 1\nreplicas: 2\n' } })).toMatchObject({ code, stdout: '', stderr: expect.arrayContaining([expect.stringContaining(message)]) });
});
