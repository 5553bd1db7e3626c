/* SparkConnects by the operator's bundle against a real API server, with the rights that SparkOperator gives it. There is no node: the tests play the kubelet. */
import { ApiServer } from '../helpers/api-server';
import { connectPage, takingConnections, type ConnectPage } from './helpers/connect-page';
import { waitForConnect } from '../helpers/connects';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, waitFor } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';
import { eventsOf, firstEventOf } from '../helpers/traces';

const URL_FORMAT = '--ingress-url-format={{$appName}}.example.org';

let installation: Installation;
let operator: OperatorProcess;
let jobs: string;
let page: ConnectPage;

beforeAll(async () => {
  installation = await install('connect', { flags: [URL_FORMAT] });
  jobs = installation.jobs;
  operator = await start();
  page = await connectPage(1);
});

afterAll(async () => {
  await operator?.stop();
  await page?.close();
  await installation?.remove();
});

function start(): Promise<OperatorProcess> {
  return new OperatorProcess([`--kubeconfig=${installation.kubeconfig}`, `--namespaces=${jobs}`, '--remove-orphans=false', '--enable-driver-ingress=false', URL_FORMAT]).ready('spark-connect');
}

function connect(name: string, spec: object = {}) {
  const { server, ...others } = spec as { server?: object };
  return {
    apiVersion: 'sparkoperator.k8s.io/v1alpha1',
    kind: 'SparkConnect',
    metadata: { name, namespace: jobs },
    spec: {
      sparkVersion: '4.1.1', image: 'example.org/spark:1', executor: { instances: 1 }, restartPolicy: { interval: 1 }, ...others,
      server: { template: { spec: { containers: [], serviceAccountName: 'spark' } }, ...server },
    },
  };
}

/** Plays the kubelet. */
function setPod(name: string, status: object): Promise<string> {
  return kubectl(['patch', 'pod', name, '-n', jobs, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);
}

const now = () => new Date().toISOString();
const container = (state: object) => [{ name: 'spark-kubernetes-driver', image: 'i', imageID: '', ready: false, restartCount: 0, state }];
const edit = (name: string, spec: object) => kubectl(['patch', 'sparkconnect', name, '-n', jobs, '--type=merge', '-p', JSON.stringify({ spec })]);

/** Until there is another server than that, if any. */
async function serverOf(name: string, before?: string): Promise<any> {
  await waitForConnect(jobs, name, ({ server }) => server?.podName !== undefined);
  for (;;) {
    const pod = await get(jobs, 'pod', `${name}-server`).catch(() => undefined);
    if (pod && pod.metadata.uid !== before) return pod;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('a server from its creation over a crash, an edit and a suspension to its deletion, under two operators', async () => {
  await apply(connect('nb', { idleTimeToLiveSeconds: 3_600, sparkConf: { 'spark.ui.port': String(page.port) } }));
  const first = await serverOf('nb');
  const { metadata: { uid } } = await get(jobs, 'sparkconnect', 'nb');
  const owner = { apiVersion: 'sparkoperator.k8s.io/v1alpha1', kind: 'SparkConnect', name: 'nb', uid, controller: true };
  const objects = [first, ...await list(jobs, 'services,configmaps,ingresses', 'sparkoperator.k8s.io/connect-name=nb')];
  expect(objects.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', 'Ingress', 'Pod', 'Service', 'Service']);
  for (const { metadata } of objects) expect(metadata.ownerReferences).toEqual([owner]);
  const service = await get(jobs, 'service', 'nb-server');
  expect(service.spec.ports.map(({ name, port: own }: any) => `${name} ${own}`)).toEqual(['driver-rpc 7078', 'blockmanager 7079', 'web-ui 4040', 'spark-connect-server 15002']);
  expect(first.metadata.labels).toMatchObject(service.spec.selector);

  await setPod('nb-server', takingConnections());
  await apply({
    apiVersion: 'v1', kind: 'Pod',
    metadata: { name: 'nb-exec-1', namespace: jobs, labels: { ...first.metadata.labels, 'spark-role': 'executor' }, ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'nb-server', uid: first.metadata.uid }] },
    spec: { serviceAccountName: 'spark', containers: [{ name: 'spark-kubernetes-executor', image: 'example.org/spark:1' }] },
  });
  const ready = await waitForConnect(jobs, 'nb', ({ state, executors }) => state === 'Ready' && executors?.pending === 1);
  expect(ready.status).toMatchObject({ server: { podName: 'nb-server', podIp: '127.0.0.1', serviceName: 'nb-server', webUIIngressName: 'nb-connect-ui-ingress', webUIIngressAddress: 'http://nb.example.org' } });

  await setPod('nb-server', { phase: 'Failed', containerStatuses: container({ terminated: { exitCode: 1, reason: 'Error', message: 'java.lang.Error: boom', startedAt: now(), finishedAt: now() } }) });
  await waitForConnect(jobs, 'nb', ({ restarts }) => restarts === 1);
  expect((await firstEventOf(jobs, 'SparkConnectServerFailed', 'nb')).message).toContain('boom');
  const second = await serverOf('nb', first.metadata.uid);
  await setPod('nb-server', takingConnections());
  await waitForConnect(jobs, 'nb', ({ state }) => state === 'Ready');
  // The objects of the first server are gone.
  expect((await list(jobs, 'configmaps', 'sparkoperator.k8s.io/connect-name=nb')).map(({ metadata }) => metadata.labels['sparkoperator.k8s.io/submission-id'])).toEqual([second.metadata.labels['sparkoperator.k8s.io/submission-id']]);

  await operator.stop('SIGKILL');
  await edit('nb', { sparkConf: { 'spark.sql.shuffle.partitions': '7' } });
  operator = await start();
  const third = await serverOf('nb', second.metadata.uid);
  await setPod('nb-server', takingConnections());
  await waitForConnect(jobs, 'nb', ({ state, observedGeneration }) => state === 'Ready' && observedGeneration === 2);

  await edit('nb', { suspend: true });
  await waitForConnect(jobs, 'nb', ({ state }) => state === 'Suspended');
  expect((await list(jobs, 'pods,services,configmaps,ingresses', 'sparkoperator.k8s.io/connect-name=nb')).map(({ kind, metadata: { name } }) => `${kind} ${name}`).filter((name) => name !== 'Pod nb-exec-1')).toEqual(['Service nb-server']);
  await edit('nb', { suspend: false });
  await serverOf('nb', third.metadata.uid);
  await setPod('nb-server', takingConnections());
  await waitForConnect(jobs, 'nb', ({ state }) => state === 'Ready');

  await edit('nb', { idleTimeToLiveSeconds: 1 });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect((await get(jobs, 'sparkconnect', 'nb')).status).toMatchObject({ state: 'Ready' });
  page.sessions = 0;
  await waitFor(jobs, 'sparkconnect/nb', 'delete');
  await firstEventOf(jobs, 'SparkConnectIdle', 'nb');
  expect(await eventsOf(jobs, 'SparkConnectIdle', 'nb')).toHaveLength(1);
});

test('the status reports a specification that the API server accepts and no server can start with; the operator creates nothing until an edit repairs it', async () => {
  await apply(connect('wrong', { sparkConf: { 'spark.driver.memory': 'much' } }));
  const { status } = await waitForConnect(jobs, 'wrong', ({ state }) => state === 'Failed');
  expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'ServerPodReady', status: 'False', reason: 'SpecRefused', message: expect.stringContaining('spark.driver.memory') }));
  expect(await list(jobs, 'pods,configmaps', 'sparkoperator.k8s.io/connect-name=wrong')).toEqual([]);
  await edit('wrong', { sparkConf: null });
  await serverOf('wrong');
  await kubectl(['delete', 'sparkconnect', 'wrong', '-n', jobs]);
});

test('a Service that gets another name keeps its port of nodes, which only one can have at a time', async () => {
  const port = { name: 'spark-connect-server', port: 15_002 };
  await apply(connect('ported', { suspend: true, server: { service: { metadata: { name: 'one' }, spec: { type: 'NodePort', ports: [port] } } } }));
  await waitForConnect(jobs, 'ported', ({ server }) => server?.serviceName === 'one');
  const { nodePort } = (await get(jobs, 'service', 'one')).spec.ports.find(({ name }: { name: string }) => name === port.name);
  await edit('ported', { server: { service: { metadata: { name: 'other' }, spec: { ports: [{ ...port, nodePort }] } } } });
  await waitForConnect(jobs, 'ported', ({ server }) => server?.serviceName === 'other');
  expect((await get(jobs, 'service', 'other')).spec.ports.map((each: { nodePort: number }) => each.nodePort)).toContain(nodePort);
  expect((await list(jobs, 'services', 'sparkoperator.k8s.io/connect-name=ported')).map(({ metadata }) => metadata.name)).toEqual(['other']);
  await kubectl(['delete', 'sparkconnect', 'ported', '-n', jobs]);
});

test('an unchanged status write has no effect, and is rejected if the object is stale: so the operator knows before it deletes whether its view is current', async () => {
  const api = new ApiServer();
  try {
    await apply(connect('still', { suspend: true }));
    await waitForConnect(jobs, 'still', ({ state }) => state === 'Suspended');
    const { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, status } = await get(jobs, 'sparkconnect', 'still');
    const write = () => api.call('PUT', `/apis/${apiVersion}/namespaces/${jobs}/sparkconnects/still/status`, { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, status });
    expect(await write()).toMatchObject({ code: 200, body: { metadata: { resourceVersion } } });
    await kubectl(['annotate', 'sparkconnect', 'still', '-n', jobs, 'a=b']);
    expect(await write()).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
  } finally {
    api.close();
  }
  await kubectl(['delete', 'sparkconnect', 'still', '-n', jobs]);
});
