/* The operator with the rights that SparkOperator gives it: by the API server's audit log all of them are used, and none is missing. */
import { ApiServer } from '../helpers/api-server';
import { connectPage, takingConnections } from './helpers/connect-page';
import { auditOf } from './helpers/audit';
import type { Exchange } from '../helpers/fault-proxy';
import { define, exclusively, HTTP_ROUTES, undefine, WAIT_FOR_OTHERS } from './helpers/definition';
import { Lane, LASTING_LEASE } from './helpers/lane';
import { defineOnce, podGroupDefinition } from './helpers/pod-groups';
import { expectJustWhatIsNeeded, granted, textOf, userOf } from './helpers/rights';
import { ServiceAddress } from './helpers/service-address';
import { until } from './helpers/until';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, tryKubectl, waitFor, waitForState } from '../helpers/kubectl';
import { WebUI, type SparkOperatorProps } from '../../src';

/** Only a pod with Spark in it can run spark-submit: test/e2e/customization.test.ts and submission.test.ts run it with these rights. */

const WEBHOOK_SERVICE = 'spark-operator-webhook-svc';
const MERGE = 'application/merge-patch+json';
const api = new ApiServer();
afterAll(() => api.close());

/** All that an application can ask the operator for. */
function application(namespace: string, name: string) {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace },
    spec: {
      type: 'Python',
      sparkVersion: '4.3.0',
      image: 'example.org/spark:1',
      mainApplicationFile: 'local:///pi.py',
      sparkConf: {
        'spark.kubernetes.driver.volumes.persistentVolumeClaim.data.mount.path': '/data',
        'spark.kubernetes.driver.volumes.persistentVolumeClaim.data.options.claimName': 'OnDemand',
        'spark.kubernetes.driver.volumes.persistentVolumeClaim.data.options.storageClass': 'none',
        'spark.kubernetes.driver.volumes.persistentVolumeClaim.data.options.sizeLimit': '1Gi',
      },
      monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: '/prometheus/agent.jar' } },
      dynamicAllocation: { enabled: true, minExecutors: 1, maxExecutors: 3 },
      sparkUIOptions: { serviceLabels: { part: 'ui' } },
      driverIngressOptions: [{ servicePort: 8085, servicePortName: 'status', ingressURLFormat: '{{$appName}}.status.example.org' }],
      driverPodDisruptionBudget: true,
      timeToLiveSeconds: 1,
      driver: { serviceAccount: 'spark' },
      executor: {},
    },
  };
}

/** The answer to the first creation of each kind gets lost, so that the operator has to look whether it came through. */
function lossy(): (exchange: Exchange) => Promise<void> {
  const lost = new Set<string>();
  return async (exchange) => {
    const { verb, resource } = exchange.call;
    if (verb !== 'create' || ['events', 'leases'].includes(resource) || lost.has(resource)) return exchange.pass();
    lost.add(resource);
    await exchange.forward();
    exchange.drop();
  };
}

/** Takes an application through its life under two operators, from which a third one takes over. */
async function drive(installation: Installation, namespace: string): Promise<void> {
  const lane = Lane.over(installation);
  const servesWebhook = installation.args.includes('--webhook=here');
  const service = servesWebhook ? await ServiceAddress.of(installation.namespace, WEBHOOK_SERVICE) : undefined;
  try {
    const proxy = await lane.proxy();
    proxy.rule = lossy();
    // An operator that takes over between a lost answer and the next attempt finds the object by its list, and need not read it.
    const first = await lane.startAs(installation, { proxy, flags: LASTING_LEASE }).ready();
    // They go where the kubeconfig says, whatever the environment says.
    const nowhere = 'http://127.0.0.1:1';
    const directly = { flags: LASTING_LEASE, environment: { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, http_proxy: nowhere, https_proxy: nowhere, NO_PROXY: '', no_proxy: '' } };
    const second = lane.startAs(installation, directly);
    await second.logged((line) => line.msg === 'another process leads');

    if (service) {
      service.targets = await Promise.all([first, second].map((operator) => operator.webhookPort()));
      await untilAsked(namespace);
    }
    await apply(application(namespace, 'all'));
    await waitForState(namespace, 'all', 'SUBMITTED', 150);
    // Its node prepares it: why it takes so long is in the events. The scheduler, which finds no node, may say so after us.
    const startTime = new Date(Date.now() - 60_000).toISOString();
    await until(async () => {
      await setDriver(namespace, { phase: 'Pending', startTime, conditions: [{ type: 'PodScheduled', status: 'True' }] });
      return auditOf(userOf(installation)).some((call) => textOf(call) === 'list /events');
    });
    await setDriver(namespace, { phase: 'Running' });
    await waitForState(namespace, 'all', 'RUNNING');
    for (const _ of ['once', 'and with the same events again']) {
      await suspend(namespace, true);
      await waitForState(namespace, 'all', 'SUSPENDED');
      await suspend(namespace, false);
      await waitForState(namespace, 'all', 'SUBMITTED', 150);
    }
    await setDriver(namespace, { phase: 'Running' });
    await waitForState(namespace, 'all', 'RUNNING');

    await driveConnect(namespace);
    await driveSchedule(namespace);
    await spoil(namespace);
    if (granted(installation).includes('delete networking.k8s.io/ingresses')) await leaveOver(namespace);
    // Only an operator that begins afterwards finds the changes made by hand.
    const third = lane.startAs(installation, directly);
    if (service) service.targets = [await third.webhookPort()];
    await first.stop();
    await second.stop();
    await third.ready();
    await setDriver(namespace, { phase: 'Running', message: 'a change, so that the operator reconciles it' });
    await until(async () => (await get(namespace, 'service', 'all-ui-svc')).spec.selector.spoilt === undefined);
    await until(async () => (await list(namespace, 'ingresses', 'left=over')).length === 0);

    await setDriver(namespace, { phase: 'Succeeded' });
    await waitFor(namespace, 'sparkapp/all', 'delete');
    await third.stop();
  } finally {
    await lane.close();
    await service?.close();
  }
}

/** Runs a server that the operator deletes, as it has no session. */
async function driveConnect(namespace: string): Promise<void> {
  const page = await connectPage(0);
  try {
    await apply({
      apiVersion: 'sparkoperator.k8s.io/v1alpha1',
      kind: 'SparkConnect',
      metadata: { name: 'idle', namespace },
      spec: {
        sparkVersion: '4.1.1', image: 'example.org/spark:1', idleTimeToLiveSeconds: 1, executor: {},
        // The operator reads a specification of more than 16 KiB when it starts the server.
        sparkConf: { 'spark.ui.port': String(page.port), 'spark.example.long': 'x'.repeat(20 * 1024) },
        server: { template: { spec: { containers: [], serviceAccountName: 'spark' } } },
      },
    });
    await until(async () => (await list(namespace, 'pods', 'sparkoperator.k8s.io/connect-name=idle')).length > 0);
    await api.must('PATCH', `/api/v1/namespaces/${namespace}/pods/idle-server/status`, { status: takingConnections() }, MERGE);
    await waitFor(namespace, 'sparkconnect/idle', 'delete');
    // The objects that it owned are deleted after it.
    const isOfIdle = ({ metadata: { labels } }: any) => labels['sparkoperator.k8s.io/connect-name'] === 'idle';
    for (const kind of ['service', 'ingress', 'httproute']) await until(async () => !(await listed(namespace, kind)).some(isOfIdle));
  } finally {
    await page.close();
  }
}

/** A schedule with a policy for which the operator has to look what there is. */
async function driveSchedule(namespace: string): Promise<void> {
  const { spec: { driver, executor, ...template } } = application(namespace, 'all');
  await apply({
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'ScheduledSparkApplication',
    metadata: { name: 'often', namespace },
    spec: { schedule: '@every 1s', concurrencyPolicy: 'Forbid', template: { type: template.type, sparkVersion: template.sparkVersion, image: template.image, mainApplicationFile: template.mainApplicationFile, driver, executor, suspend: true } },
  });
  await until(async () => (await list(namespace, 'sparkapp', 'sparkoperator.k8s.io/scheduled-app-name=often')).some(({ status }) => status?.applicationState?.state === 'SUSPENDED'));
  await kubectl(['delete', 'scheduledsparkapp', 'often', '-n', namespace]);
}

/** Until the API server asks the webhook: it refuses what the API server by itself would take. */
function untilAsked(namespace: string): Promise<void> {
  const wrong = { ...application(namespace, 'wrong'), spec: { ...application(namespace, 'wrong').spec, mainApplicationFile: 'pi.py' } };
  return until(async () => (await api.call('POST', `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/sparkapplications?dryRun=All`, wrong)).code >= 400);
}

function setDriver(namespace: string, status: object): Promise<unknown> {
  return api.must('PATCH', `/api/v1/namespaces/${namespace}/pods/all-driver/status`, { status }, MERGE);
}

function suspend(namespace: string, isSuspended: boolean): Promise<unknown> {
  return api.must('PATCH', `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/sparkapplications/all`, { spec: { suspend: isSuspended } }, MERGE);
}

/** Changes by hand what belongs to the application. */
async function spoil(namespace: string): Promise<void> {
  const mangle = async (kind: string, patch: object) => {
    for (const { metadata: { name } } of await listed(namespace, kind)) await kubectl(['patch', kind, name, '-n', namespace, '--type=merge', '-p', JSON.stringify(patch)]);
  };
  await mangle('service', { spec: { selector: { spoilt: 'yes' } } });
  await mangle('ingress', { spec: { rules: [{ host: 'spoilt.example.org' }] } });
  await mangle('httproute', { spec: { hostnames: ['spoilt.example.org'] } });
  await mangle('poddisruptionbudget', { spec: { minAvailable: 0 } });
}

/** Puts something beside it that an operator with another configuration would have made. */
async function leaveOver(namespace: string): Promise<void> {
  const { metadata: { name, uid } } = await get(namespace, 'sparkapp', 'all');
  await apply({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: 'left-over',
      namespace,
      labels: { 'left': 'over', 'sparkoperator.k8s.io/created-by-spark-operator': 'true' },
      ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name, uid, controller: true }],
    },
    spec: { defaultBackend: { service: { name: 'all-ui-svc', port: { number: 4040 } } } },
  });
}

/** Returns the operator's objects of a kind; none where the kind does not exist. */
async function listed(namespace: string, kind: string): Promise<any[]> {
  const { code, stdout } = await tryKubectl(['get', kind, '-n', namespace, '-l', 'sparkoperator.k8s.io/created-by-spark-operator', '-o', 'json']);
  return code === 0 ? JSON.parse(stdout).items : [];
}

async function tryOut(name: string, props: SparkOperatorProps, prepare: (installation: Installation) => Promise<void>, excused?: readonly string[]): Promise<void> {
  const installation = await install(name, props);
  try {
    await prepare(installation);
    await drive(installation, installation.jobs);
    await expectJustWhatIsNeeded(installation, excused);
  } finally {
    await installation.remove();
  }
}

test('the default install', () => tryOut('rights', {}, async () => {}), 240_000);

test('with Ingresses', () => tryOut('ingress-rights', { driverIngress: true }, async () => {}), 240_000);

test('everything switched on', async () => {
  await exclusively(api, HTTP_ROUTES.metadata.name, async () => {
    await define(api, HTTP_ROUTES);
    await defineOnce(api, podGroupDefinition('scheduling.volcano.sh'));
    try {
      await tryOut('all-rights', {
        replicas: 2,
        webUI: WebUI.byGateway({ urlFormat: '{{$appName}}.example.org', gateways: [{ namespace: 'infra', name: 'public' }] }),
        driverIngress: true,
        driverDisruptionBudgets: true,
        batchScheduling: { defaultScheduler: 'volcano' },
        removeOrphans: true,
        defaultsConfigMapName: 'spark-defaults',
        webhook: { resourceQuotas: true },
      }, async ({ namespace, jobs }) => {
        for (const where of [namespace, jobs]) await kubectl(['create', 'configmap', 'spark-defaults', '-n', where]);
      });
    } finally {
      await undefine(api, HTTP_ROUTES);
    }
  });
}, 300_000 + WAIT_FOR_OTHERS);

test('namespaces by label, in the whole cluster', () => tryOut('label-rights', {
  jobNamespaces: [], namespaceSelector: { 'cdk8s-spark-operator.test/rights': 'yes' }, defaultsConfigMapName: 'spark-defaults',
}, async ({ jobs }) => {
  await kubectl(['create', 'namespace', jobs]);
  await kubectl(['label', 'namespace', jobs, 'cdk8s-spark-operator.test/rights=yes']);
  await kubectl(['create', 'serviceaccount', 'spark', '-n', jobs]);
}), 240_000);

test('a webhook with pods of its own', async () => {
  const label = { 'cdk8s-spark-operator.test/webhook-rights': 'yes' };
  const installation = await install('webhook-rights', {
    jobNamespaces: [], namespaceSelector: label, defaultsConfigMapName: 'spark-defaults', webhook: { deployment: {}, resourceQuotas: true },
  });
  const { jobs, namespace, webhook } = installation;
  const lane = Lane.over(installation);
  let service: ServiceAddress | undefined;
  try {
    await apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: jobs, labels: label } }]);
    for (const where of [namespace, jobs]) await kubectl(['create', 'configmap', 'spark-defaults', '-n', where]);
    service = await ServiceAddress.of(namespace, WEBHOOK_SERVICE);
    service.targets = [await lane.startAs(webhook!).webhookPort()];
    await untilAsked(jobs);
    await apply(application(jobs, 'all'));
    await api.must('POST', `/api/v1/namespaces/${jobs}/pods?dryRun=All`, {
      metadata: { name: 'all-exec-1', labels: { 'sparkoperator.k8s.io/launched-by-spark-operator': 'true', 'sparkoperator.k8s.io/app-name': 'all', 'sparkoperator.k8s.io/submission-id': 'some', 'spark-role': 'executor' } },
      spec: { containers: [{ name: 'spark-kubernetes-executor', image: 'example.org/spark:1' }], automountServiceAccountToken: false },
    });
    await expectJustWhatIsNeeded(installation, [], 'spark-operator-webhook');
  } finally {
    await lane.close();
    await service?.close();
    await installation.remove();
  }
});

test("Kubernetes' own roles for users: with view they read all kinds, with edit they also create, and none changes a status", async () => {
  const installation = await install('user-rights');
  const { jobs } = installation;
  const [reader, author] = ['user-rights-reader', 'user-rights-author'];
  const kinds = ['sparkapplications', 'scheduledsparkapplications', 'sparkconnects'];
  const can = async (user: string, verb: string, what: string, ...more: string[]) => (
    (await tryKubectl(['auth', 'can-i', verb, `${what}.sparkoperator.k8s.io`, '-n', jobs, `--as=${user}`, ...more])).code === 0
  );
  try {
    for (const [user, role] of Object.entries({ [reader]: 'view', [author]: 'edit' })) {
      await kubectl(['create', 'rolebinding', user, '-n', jobs, `--clusterrole=${role}`, `--user=${user}`]);
    }
    // A controller of Kubernetes adds the rules to its roles.
    await until(async () => (await Promise.all([can(reader, 'watch', 'sparkconnects'), can(author, 'create', 'sparkconnects')])).every(Boolean));
    for (const kind of kinds) {
      expect([kind, await can(reader, 'list', kind), await can(reader, 'get', kind, '--subresource=status'), await can(reader, 'create', kind)]).toEqual([kind, true, true, false]);
      expect([kind, await can(author, 'create', kind), await can(author, 'delete', kind), await can(author, 'update', kind, '--subresource=status')]).toEqual([kind, true, true, false]);
    }
    const created = { ...application(jobs, 'by-author'), spec: { ...application(jobs, 'by-author').spec, suspend: true } };
    await kubectl(['create', '-f', '-', `--as=${author}`], JSON.stringify(created));
    expect(await kubectl(['get', 'sparkapp', '-n', jobs, '-o', 'name', `--as=${reader}`])).toContain('/by-author');
    const refused = await tryKubectl(['delete', 'sparkapp', 'by-author', '-n', jobs, `--as=${reader}`]);
    expect(refused.stderr).toContain('Forbidden');
    expect((await tryKubectl(['get', 'sparkapp', '-n', 'default', `--as=${reader}`])).stderr).toContain('Forbidden');
    await kubectl(['delete', 'sparkapp', 'by-author', '-n', jobs, `--as=${author}`]);
  } finally {
    await installation.remove();
  }
}, 240_000);
