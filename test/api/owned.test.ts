/* Objects of an application other than its driver, against a real API server: whether it accepts these objects, and with which rights. */
import { ApiServer } from '../helpers/api-server';
import { testConnection } from '../helpers/test-connection';
import { define, exclusively, HTTP_ROUTES, undefine, WAIT_FOR_OTHERS } from './helpers/definition';
import { install, type Installation } from '../helpers/installation';
import { ApplicationState } from '../../src/api/states';
import { KubeClient } from '../../src/kube/client';
import type { OwnedSettings } from '../../src/operator/owned/settings';
import type { SparkApplication } from '../../src/model/spark-application';
import { OwnedObjects } from '../../src/operator/kinds/spark-application/owned/owned-objects';
import { ManualClock } from '../kube/helpers/manual-clock';

const namespace = 'owned-jobs';
const user = 'operator-of-owned-jobs';
const APPLICATIONS = `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/sparkapplications`;
const SERVICES = `/api/v1/namespaces/${namespace}/services`;
const INGRESSES = `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`;
const BUDGETS = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
const ROUTES = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/httproutes`;
const CONFIG_MAPS = `/api/v1/namespaces/${namespace}/configmaps`;

const VERIFY_AFTER = 5 * 60_000;

const SETTINGS: OwnedSettings = {
  uiService: true,
  driverPodDisruptionBudget: true,
  ingress: { urlFormat: 'spark.example.org/{{$appNamespace}}/{{$appName}}', className: 'nginx', tls: [{ hosts: ['spark.example.org'], secretName: 'tls' }], annotations: { 'example.org/a': '1' } },
};

/** All that is needed, and no more: a right that is missing here fails the tests. */
const VERBS = ['get', 'list', 'create', 'update', 'delete'];
const RULES = [
  { apiGroups: [''], resources: ['services'], verbs: VERBS },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: VERBS },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: VERBS },
  { apiGroups: ['gateway.networking.k8s.io'], resources: ['httproutes'], verbs: VERBS },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'delete'] },
];

const api = new ApiServer();
let installation: Installation;
let client: KubeClient;

beforeAll(async () => {
  installation = await install('owned');
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  await api.must('POST', `${rbac}/roles`, { metadata: { name: 'owned' }, rules: RULES });
  await api.must('POST', `${rbac}/rolebindings`, {
    metadata: { name: 'owned' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'owned' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  });
  client = new KubeClient(testConnection({ 'impersonate-user': user }));
});

afterAll(async () => {
  await installation?.remove();
  client?.close();
  api.close();
});

/** An application as it is stored, with the status of one whose driver runs. */
async function submitted(name: string, spec: object = {}): Promise<SparkApplication> {
  const { metadata, spec: stored } = await api.must('POST', APPLICATIONS, {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name },
    spec: { type: 'Python', sparkVersion: '4.1.1', image: 'i', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {}, ...spec },
  });
  return {
    metadata,
    spec: stored,
    status: {
      submissionID: 's-1',
      sparkApplicationId: 'spark-1',
      lastSubmissionAttemptTime: new Date().toISOString(),
      driverInfo: { podName: `${name}-driver` },
      applicationState: { state: ApplicationState.RUNNING },
    },
  };
}

function ended(application: SparkApplication): SparkApplication {
  return { ...application, status: { ...application.status!, applicationState: { state: ApplicationState.COMPLETED } } };
}
async function namesIn(path: string): Promise<string[]> {
  const { items } = await api.must('GET', `${path}?labelSelector=sparkoperator.k8s.io/created-by-spark-operator`);
  return items.map(({ metadata }: any) => metadata.name);
}

test('all of it is made, mended after a change by hand, and removed', async () => {
  const clock = new ManualClock(Date.now());
  const owned = new OwnedObjects({ client, settings: SETTINGS, clock });
  const pi = await submitted('pi', {
    driverPodDisruptionBudget: true,
    sparkUIOptions: { servicePort: 80, serviceLabels: { part: 'ui' } },
    driverIngressOptions: [{ servicePort: 8085, servicePortName: 'status', serviceType: 'NodePort', ingressURLFormat: '{{$appName}}.status.example.org' }],
  });

  const made = await owned.converge(pi);
  const service = await api.must('GET', `${SERVICES}/pi-ui-svc`);
  expect(made).toEqual({
    events: [],
    webUI: {
      webUIServiceName: 'pi-ui-svc',
      webUIPort: 80,
      webUIAddress: `${service.spec.clusterIP}:80`,
      webUIIngressName: 'pi-ui-ingress',
      webUIIngressAddress: `https://spark.example.org/${namespace}/pi`,
    },
  });
  expect([await namesIn(SERVICES), await namesIn(INGRESSES), await namesIn(BUDGETS)]).toEqual([['pi-driver-8085', 'pi-ui-svc'], ['pi-ing-8085', 'pi-ui-ingress'], ['pi-driver']]);

  // By hand, and by others.
  await api.must('PATCH', `${SERVICES}/pi-ui-svc`, { metadata: { annotations: { 'example.org/theirs': 'stays' } }, spec: { selector: { version: '2' } } }, 'application/merge-patch+json');
  const { nodePort } = (await api.must('PATCH', `${SERVICES}/pi-driver-8085`, { metadata: { labels: { 'example.org/theirs': 'stays' } } }, 'application/merge-patch+json')).spec.ports[0];
  await api.must('PATCH', `${INGRESSES}/pi-ui-ingress`, { spec: { rules: [{ host: 'other.example.org' }] } }, 'application/merge-patch+json');
  await api.must('PATCH', `${BUDGETS}/pi-driver`, { spec: { minAvailable: 0 } }, 'application/merge-patch+json');
  await api.must('DELETE', `${INGRESSES}/pi-ing-8085`);
  clock.advance(VERIFY_AFTER);
  expect((await owned.converge(pi)).events).toEqual([]);

  expect(await api.must('GET', `${SERVICES}/pi-ui-svc`)).toMatchObject({
    metadata: { uid: service.metadata.uid, annotations: { 'example.org/theirs': 'stays' } },
    spec: { clusterIP: service.spec.clusterIP, selector: service.spec.selector },
  });
  expect((await api.must('GET', `${SERVICES}/pi-driver-8085`)).spec.ports[0].nodePort).toBe(nodePort);
  expect((await api.must('GET', `${INGRESSES}/pi-ui-ingress`)).spec.rules[0]).toMatchObject({ host: 'spark.example.org', http: { paths: [{ path: `/${namespace}/pi(/|$)(.*)` }] } });
  expect((await api.must('GET', `${BUDGETS}/pi-driver`)).spec.minAvailable).toBe(1);
  expect(await namesIn(INGRESSES)).toEqual(['pi-ing-8085', 'pi-ui-ingress']);

  expect(await owned.converge(ended(pi))).toEqual({ events: [], webUI: {} });
  expect([await namesIn(SERVICES), await namesIn(INGRESSES), await namesIn(BUDGETS)]).toEqual([[], [], []]);
});

test('what is as it is wanted is never written, neither by this operator nor by the next', async () => {
  const clock = new ManualClock(Date.now());
  const application = await submitted('still', { driverPodDisruptionBudget: true });
  const versions = async () => Promise.all([`${SERVICES}/still-ui-svc`, `${INGRESSES}/still-ui-ingress`, `${BUDGETS}/still-driver`].map(async (path) => (await api.must('GET', path)).metadata.resourceVersion));
  const owned = new OwnedObjects({ client, settings: SETTINGS, clock });
  await owned.converge(application);
  // The controller of PodDisruptionBudgets writes a status.
  for await (const { object } of api.watch(`${BUDGETS}?watch=true&timeoutSeconds=20&fieldSelector=metadata.name%3Dstill-driver`)) if (object.status?.observedGeneration) break;
  const before = await versions();
  clock.advance(VERIFY_AFTER);
  await owned.converge(application);
  await new OwnedObjects({ client, settings: SETTINGS, clock }).converge(application);

  expect(await versions()).toEqual(before);
  await new OwnedObjects({ client, settings: SETTINGS, clock }).converge(ended(application));
  expect(await namesIn(SERVICES)).toEqual([]);
});

test('names that no Service can have are changed', async () => {
  const owned = new OwnedObjects({ client, settings: SETTINGS, clock: new ManualClock(Date.now()) });
  const given = await Promise.all(['2026.report', `long-${'x'.repeat(58)}`].map((name) => submitted(name, { driverIngressOptions: [{ servicePort: 8085, servicePortName: 'p' }] })));
  for (const application of given) expect(await owned.converge(application)).toMatchObject({ events: [], webUI: { webUIIngressName: expect.any(String) } });
  for (const application of given) await owned.converge(ended(application));
});

test('the configuration of the metrics goes with the driver', async () => {
  const owned = new OwnedObjects({ client, settings: SETTINGS, clock: new ManualClock(Date.now() - 60_000) });
  const application = await submitted('monitored', { monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: '/jmx.jar' } } });
  // The namespace is listed before.
  await owned.converge(ended(application));
  const { name, uid } = application.metadata;
  await api.must('POST', CONFIG_MAPS, {
    metadata: {
      name: 'monitored-prom-conf',
      labels: { 'sparkoperator.k8s.io/created-by-spark-operator': 'true', 'sparkoperator.k8s.io/app-uid': uid },
      ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name, uid, controller: true }],
    },
  });
  await owned.converge(application, { submitted: true });
  await owned.converge(ended(application));

  expect(await namesIn(CONFIG_MAPS)).toEqual([]);
});

test('an event reports a refused Ingress and a foreign Service of the same name, which stays unchanged', async () => {
  const other = await api.must('POST', SERVICES, { metadata: { name: 'refused-ui-svc' }, spec: { ports: [{ port: 1 }] } });
  const owned = new OwnedObjects({ client, settings: { ...SETTINGS, ingress: { urlFormat: 'Not_A_Host' } }, clock: new ManualClock(Date.now()) });
  const { events, webUI } = await owned.converge(await submitted('refused'));

  expect(webUI).toEqual({});
  expect(events).toEqual([expect.objectContaining({
    note: expect.stringMatching(/^SparkApplication refused: Service refused-ui-svc cannot be created: one of this name exists .*; Ingress refused-ui-ingress cannot be created: Ingress.* is invalid: .*host/),
  })]);
  expect((await api.must('GET', `${SERVICES}/refused-ui-svc`)).metadata.resourceVersion).toBe(other.metadata.resourceVersion);
});

test('an HTTPRoute is made as soon as the cluster knows of any', () => exclusively(api, HTTP_ROUTES.metadata.name, async () => {
  const clock = new ManualClock(Date.now());
  const owned = new OwnedObjects({ client, settings: { ...SETTINGS, ingress: { urlFormat: 'spark.example.org/{{$appName}}', gateways: [{ name: 'public' }] } }, clock });
  const application = await submitted('routed');
  expect((await owned.converge(application)).events).toEqual([expect.objectContaining({ note: expect.stringContaining('the cluster does not serve httproutes of gateway.networking.k8s.io/v1') })]);

  await define(api, HTTP_ROUTES);
  try {
    clock.advance(VERIFY_AFTER);
    expect((await owned.converge(application)).webUI.webUIIngressName).toBe('routed-ui-route');
    expect((await api.must('GET', `${ROUTES}/routed-ui-route`)).spec.parentRefs).toEqual([{ name: 'public' }]);
    await owned.converge(ended(application));
    expect(await namesIn(ROUTES)).toEqual([]);
  } finally {
    await undefine(api, HTTP_ROUTES);
  }
}), 60_000 + WAIT_FOR_OTHERS);
