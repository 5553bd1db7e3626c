/* Stuck applications, with facts about their pods, nodes and operator. */
import { synthesized } from '../../constructs/operator-objects';
import { FakeCluster } from '../cluster';
import { NOW } from '../helpers';
import type { Finding } from '../../../src/sparkctl/doctor/finding';
import { examine } from '../../../src/sparkctl/doctor/examine';
import { missingNamespaces } from '../../../src/sparkctl/doctor/namespaces';
import { examineApplications } from '../../../src/sparkctl/doctor/examine-applications';
import { SPARK_APPLICATIONS } from '../../../src/model/resources';
import { presenceOf } from '../../../src/sparkctl/view/presence';

const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

const application = (name: string, state: string, errorMessage?: string): any => ({
  metadata: {
    name, namespace: 'jobs', uid: name, generation: 1, creationTimestamp: ago(130),
    managedFields: [{ manager: 'cdk8s-spark-operator.spark-operator', subresource: 'status', time: ago(100) }],
  },
  spec: { driver: {}, executor: { instances: 1 } },
  status: { applicationState: { state, errorMessage }, lastSubmissionAttemptTime: ago(120), driverInfo: { podName: `${name}-driver` }, observedGeneration: 1, ...(errorMessage && { startDeadlineTime: ago(-185) }) },
});

const pod = (owner: string, role: string, status: object): any => ({
  metadata: { name: `${owner}-${role}`, namespace: 'jobs', labels: { 'spark-role': role, 'sparkoperator.k8s.io/app-name': owner } }, status,
  spec: { containers: [{ name: 'spark', resources: { requests: { cpu: '4', memory: '16Gi' } } }] },
});

const NO_ROOM = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] };

const cluster = (renewed: number) => new FakeCluster()
  .put('leases', { metadata: { name: 'spark-operator-controller-lock', namespace: 'spark-operator' }, spec: { holderIdentity: 'pod', leaseDurationSeconds: 15, renewTime: ago(renewed), acquireTime: ago(5_000) } } as any)
  .put('nodes', { metadata: { name: 'n' }, status: { allocatable: { cpu: '2', memory: '8Gi' }, conditions: [{ type: 'Ready', status: 'True' }] } } as any)
  .put('sparkapplications', application('image', 'SUBMITTED', 'driver does not start: ImagePullBackOff: Back-off pulling image "x"'))
  .put('pods', pod('image', 'driver', { phase: 'Pending', startTime: ago(115), containerStatuses: [{ name: 'spark', state: { waiting: { reason: 'ImagePullBackOff' } } }] }))
  .put('sparkapplications', application('large', 'RUNNING'))
  .put('pods', pod('large', 'driver', { phase: 'Running' }))
  .put('pods', pod('large', 'executor', NO_ROOM))
  .put('sparkapplications', application('fine', 'RUNNING'))
  .put('pods', pod('fine', 'driver', { phase: 'Running' }));

async function findingsOf(fake: FakeCluster, causes: readonly Finding[] = []) {
  const value: any[] = [];
  for await (const each of fake.client.list({ plural: 'sparkapplications' } as any, { namespace: 'jobs' })) value.push(each);
  const examination: any = { client: fake.client, now: NOW, signal: new AbortController().signal };
  return examineApplications(examination, { kind: 'found', value }, 'in jobs', causes);
}

test('have the time until the operator gives up, and advice with numbers', async () => {
  const found = await findingsOf(cluster(2));
  expect(found.map(({ object, message }) => [object?.name, message.replace(/^.*?: /, '')])).toEqual([
    ['image', 'The driver has waited for 2m: ImagePullBackOff: Back-off pulling image "x"; the operator gives up in 3m5s (--driver-start-timeout)'],
    ['large', expect.stringContaining('The driver runs; 0 of 1 executors run, 1 waits: Unschedulable')],
  ]);
  expect(found[1]!.remedy).toContain('the executor asks for 4 CPUs and 16Gi; the largest node offers 2 CPUs and 8Gi');
});

test('share one list of the nodes', async () => {
  const fake = cluster(2).put('sparkapplications', application('huge', 'RUNNING')).put('pods', pod('huge', 'driver', { phase: 'Running' })).put('pods', pod('huge', 'executor', NO_ROOM));
  expect(await findingsOf(fake)).toHaveLength(3);
  expect(fake.reads.filter((read) => read === 'list nodes')).toHaveLength(1);
});

test('a cause has the time of the application on which the operator gives up first', async () => {
  const younger = application('a-younger', 'SUBMITTED', 'driver does not start: ImagePullBackOff: Back-off pulling image "x"');
  const fake = cluster(2)
    .put('sparkapplications', { ...younger, status: { ...younger.status, lastSubmissionAttemptTime: ago(60), startDeadlineTime: ago(-245) } })
    .put('pods', pod('a-younger', 'driver', { phase: 'Pending', startTime: ago(55), containerStatuses: [{ name: 'spark', state: { waiting: { reason: 'ImagePullBackOff' } } }] }));
  for (const applications of [['jobs/a-younger', 'jobs/image'], ['jobs/image', 'jobs/a-younger']]) {
    const cause: Finding = { check: 'Images', level: 'error', message: 'x cannot be pulled', object: { kind: 'Pod', namespace: 'jobs', name: 'p' }, applications };
    const [image] = await findingsOf(fake, [cause]);
    expect(image!.message).toBe('x cannot be pulled; the operator gives up in 3m5s (--driver-start-timeout)');
  }
});

test('what keeps a driver from starting is one finding, with the time until the operator gives up', async () => {
  const cause = (name: string, kind = 'Pod'): Finding => ({
    check: 'Images', level: 'error', message: 'x cannot be pulled.', object: { kind, namespace: 'jobs', name: 'p' }, applications: [`jobs/${name}`],
  });
  const found = await findingsOf(cluster(2), [cause('image')]);
  expect(found.map(({ check, message }) => [check, message])).toEqual([
    ['Images', 'x cannot be pulled; the operator gives up in 3m5s (--driver-start-timeout)'], ['Applications', expect.stringMatching(/^SparkApplication jobs\/large /)],
  ]);
  // Neither a running driver nor one that exists without its account has this problem.
  for (const other of [cause('large'), cause('image', 'ServiceAccount')]) {
    expect((await findingsOf(cluster(2), [other])).map(({ object }) => object?.name)).toEqual(['p', 'image', 'large']);
  }
  const fake = cluster(2);
  await fake.client.delete({ plural: 'sparkapplications' } as any, { namespace: 'jobs', name: 'large' });
  expect(await findingsOf(fake, [cause('image')])).toHaveLength(1);
});

test('a lost driver has no advice that leads back to this command', async () => {
  const fake = cluster(2).put('sparkapplications', application('lost', 'RUNNING'));
  for (const action of ['get leases', 'list leases']) fake.forbidden.add(action);
  const lost = (await findingsOf(fake)).find(({ object }) => object?.name === 'lost');
  expect(lost).toMatchObject({ message: expect.stringContaining('does not exist any more'), remedy: 'see the findings about the operator, or ask its administrator' });
});

test('a namespace that does not exist is the only problem; one that the user cannot read might exist', async () => {
  const { client, forbidden } = cluster(2).put('namespaces', { metadata: { name: 'jobs' } } as any) as any;
  const given: any = { client, namespaces: ['jobs', 'nope'], signal: new AbortController().signal };
  expect(await missingNamespaces(given)).toEqual([{ check: 'Namespaces', level: 'error', message: 'there is no namespace nope', remedy: 'kubectl get namespaces' }]);
  const found = await examine({ ...given, client: { ...client, get: client.get.bind(client), request: () => Promise.resolve({ gitVersion: 'v1.34.0' }) } });
  expect(found.map(({ check }) => check)).toEqual(['Cluster', 'Namespaces']);
  forbidden.add('get namespaces');
  expect(await missingNamespaces(given)).toEqual([]);
});

const EVIDENCE = 'the Lease spark-operator/spark-operator-controller-lock was last renewed 50m ago';

test('without an operator, one finding has all that need it', async () => {
  const found = await findingsOf(cluster(3_000));
  expect(found).toEqual([{
    check: 'Applications', level: 'warning', remedy: expect.not.stringContaining('sparkctl status'),
    message: `no operator handles 3 applications in jobs (jobs/image, jobs/large, jobs/fine): ${EVIDENCE}`,
  }]);
});

test('without an operator, the finding has no time that is not since its end', async () => {
  const fake = cluster(3_000);
  for (const name of ['image', 'large']) await fake.client.delete({ plural: 'sparkapplications' } as any, { namespace: 'jobs', name });
  const [finding] = await findingsOf(fake);
  expect(finding).toMatchObject({
    object: { name: 'fine' }, message: `SparkApplication jobs/fine: No operator handles the namespace jobs: ${EVIDENCE}. Its status has been RUNNING for 2m; its driver runs`,
  });
});

test('status of a namespace for which no operator is configured', async () => {
  const { metadata, ...deployment } = synthesized({ image: 'example.org/operator:1', jobNamespaces: ['jobs'] }).find(({ kind }) => kind === 'Deployment');
  const fake = new FakeCluster().put('deployments', { ...deployment, metadata: { ...metadata, namespace: 'spark-operator' } });
  const lost = (namespace: string): any => ({ metadata: { name: 'lost', namespace, uid: 'lost', creationTimestamp: ago(9) }, spec: { driver: {}, executor: {} } });
  for (const [namespace, evidence] of [['other', 'none of the cluster is configured for it'], ['jobs', undefined]] as const) {
    expect((await presenceOf(fake.client, lost(namespace), [SPARK_APPLICATIONS], NOW))?.evidence).toBe(evidence);
  }
});
