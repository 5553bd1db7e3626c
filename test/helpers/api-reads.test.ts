import { followObject, pathsOf, readAll, readObject } from './api-reads';

const environment = { ...process.env };
beforeAll(() => {
  process.env.KUBECONFIG = '/kubeconfig';
  delete process.env.TEST_CONTEXT;
});
afterAll(() => { process.env = environment; });

const PODS = '/api/v1/namespaces/jobs/pods';
const pod = (phase: string) => ({ metadata: { name: 'a', managedFields: [{}] }, status: { phase } });

test('collections by any of their names; kubectl reads the others', () => {
  expect(pathsOf('jobs', 'pods,sparkapp')).toEqual([PODS, '/apis/sparkoperator.k8s.io/v1beta2/namespaces/jobs/sparkapplications']);
  expect(pathsOf('jobs', 'deployment')).toEqual(['/apis/apps/v1/namespaces/jobs/deployments']);
  for (const [namespace, kinds] of [['', 'nodes'], ['', 'pods'], ['jobs', 'pods,jobs']] as const) expect(pathsOf(namespace, kinds)).toBeUndefined();
});

test('objects are as kubectl prints them', async () => {
  const asked: string[] = [];
  const answers: Record<string, unknown> = {
    [`${PODS}?labelSelector=a%3Db`]: { apiVersion: 'v1', kind: 'PodList', items: [pod('Running')] }, [`${PODS}/a`]: pod('Failed'),
  };
  const api = { must: async (method: string, path: string) => (asked.push(`${method} ${path}`), answers[path]) };
  expect(await readAll([PODS], 'a=b', api)).toEqual([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, status: { phase: 'Running' } }]);
  expect(await readObject(`${PODS}/a`, api)).toEqual({ metadata: { name: 'a' }, status: { phase: 'Failed' } });
  expect(asked).toEqual([`GET ${PODS}?labelSelector=a%3Db`, `GET ${PODS}/a`]);
});

test('an object is followed until something is found, or to the end', async () => {
  const asked: string[] = [];
  const api = {
    async* follow(collection: string) {
      asked.push(collection);
      yield { type: 'LISTED', object: { items: [pod('Pending')] } };
      yield { type: 'MODIFIED', object: pod('Running') };
      yield { type: 'MODIFIED', object: pod('Succeeded') };
    },
  };
  const phases: string[] = [];
  const until = (phase: string) => followObject(PODS, 'a', ({ status }) => (phases.push(status.phase), status.phase === phase ? phase : undefined), 60, api);
  expect(await until('Running')).toBe('Running');
  expect(phases).toEqual(['Pending', 'Running']);
  expect(await until('Failed')).toBeUndefined();
  expect(asked).toContain(`${PODS}?fieldSelector=metadata.name%3Da`);
});
