/* The operator's bundle against a real API server, with the rights that SparkOperator gives it. There is no node: the tests play the kubelet. */
import { until } from './helpers/until';
import { apply, bindToNowhere, get, kubectl, list, tryKubectl, waitFor, waitForState, waitForStatus } from '../helpers/kubectl';
import { install, type Installation } from '../helpers/installation';
import { OperatorProcess } from '../helpers/operator-process';
import { firstEventOf } from '../helpers/traces';

let installation: Installation;
let operator: OperatorProcess;
const operators: OperatorProcess[] = [];
let jobs: string;

beforeAll(async () => {
  installation = await install('application');
  jobs = installation.jobs;
  operator = await start();
});

afterAll(async () => {
  await operator?.stop();
  await installation?.remove();
});

function start(...flags: string[]): Promise<OperatorProcess> {
  operators.push(new OperatorProcess([`--kubeconfig=${installation.kubeconfig}`, `--namespaces=${jobs}`, '--remove-orphans=false', '--enable-driver-ingress=false', ...flags]));
  return operators.at(-1)!.ready();
}

function application(name: string, spec: object = {}) {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace: jobs },
    spec: {
      type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py', driver: { serviceAccount: 'spark' }, executor: {}, ...spec,
    },
  };
}

/** Plays the kubelet. */
function setPodStatus(pod: string, status: object): Promise<string> {
  return kubectl(['patch', 'pod', pod, '-n', jobs, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);
}

const container = (state: object) => [{ name: 'spark-kubernetes-driver', image: 'i', imageID: '', ready: false, restartCount: 0, state }];
const now = () => new Date().toISOString();

test('from creation to COMPLETED: driver, Services and ConfigMaps are created, and the status follows the pods', async () => {
  await apply(application('pi'));
  // There is no node, which the driver's status tells.
  const { metadata, status } = await waitForStatus(jobs, 'pi', (current) => /Unschedulable/.test(current.applicationState?.errorMessage));
  const driver = await get(jobs, 'pod', 'pi-driver');

  expect(status).toMatchObject({
    submissionID: driver.metadata.labels['sparkoperator.k8s.io/submission-id'],
    sparkApplicationId: driver.metadata.labels['spark-app-selector'],
    submissionAttempts: 1,
    executionAttempts: 1,
    driverInfo: { podName: 'pi-driver' },
  });
  const owner = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: metadata.uid, controller: true };
  const owned = [driver, ...(await list(jobs, 'services,configmaps', 'sparkoperator.k8s.io/app-name=pi'))];
  expect(owned.map((object) => object.kind).sort()).toEqual(['ConfigMap', 'Pod', 'Service']);
  for (const object of owned) expect(object.metadata.ownerReferences).toEqual([owner]);

  await setPodStatus('pi-driver', { phase: 'Running', startTime: now(), containerStatuses: container({ running: { startedAt: now() } }) });
  await waitForState(jobs, 'pi', 'RUNNING');

  await apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'pi-exec-1',
      namespace: jobs,
      labels: { ...driver.metadata.labels, 'spark-role': 'executor', 'spark-exec-id': '1' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'pi-driver', uid: driver.metadata.uid, controller: true }],
    },
    spec: { containers: [{ name: 'spark-kubernetes-executor', image: 'example.org/spark:1' }] },
  });
  await waitForStatus(jobs, 'pi', (current) => current.executorState?.['pi-exec-1'] === 'PENDING');
  await setPodStatus('pi-exec-1', { phase: 'Running' });
  await waitForStatus(jobs, 'pi', (current) => current.executorState['pi-exec-1'] === 'RUNNING');
  await kubectl(['delete', 'pod', 'pi-exec-1', '-n', jobs, '--grace-period=0', '--force']);

  await setPodStatus('pi-driver', { phase: 'Succeeded', containerStatuses: container({ terminated: { exitCode: 0, reason: 'Completed', finishedAt: '2026-03-01T10:00:00Z', startedAt: '2026-03-01T09:00:00Z' } }) });
  const completed = await waitForState(jobs, 'pi', 'COMPLETED');
  expect(completed.status).toMatchObject({ terminationTime: '2026-03-01T10:00:00Z', executorState: { 'pi-exec-1': 'COMPLETED' } });

  const columns = (await kubectl(['get', 'sparkapp', 'pi', '-n', jobs])).trim().split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(columns[0]).toEqual(['NAME', 'SUSPEND', 'STATUS', 'ATTEMPTS', 'START', 'FINISH', 'AGE']);
  expect(columns[1]!.slice(0, 5)).toEqual(['pi', 'COMPLETED', '1', completed.status.lastSubmissionAttemptTime, '2026-03-01T10:00:00Z']);
});

test('known failure 10: kubectl describe tells the story in events', async () => {
  // Events are written behind the status; an operator that is asked to stop writes those that are left.
  await operator.stop();
  operator = await start();
  const described = await kubectl(['describe', 'sparkapp', 'pi', '-n', jobs]);
  const reasons = described.slice(described.indexOf('Events:')).split('\n').slice(3).map((line) => line.trim().split(/\s+/)[1]).filter(Boolean);
  expect(reasons).toEqual([
    'SparkApplicationSubmitted', 'SparkDriverPending', 'SparkDriverRunning', 'SparkExecutorPending', 'SparkExecutorRunning', 'SparkExecutorCompleted', 'SparkDriverCompleted', 'SparkApplicationCompleted',
  ]);
});

test('a specification that cannot be submitted: FAILED, naming the field and the remedy', async () => {
  await apply(application('no-class', { type: 'Scala', mainApplicationFile: 'local:///app.jar' }));
  const { status } = await waitForState(jobs, 'no-class', 'FAILED');

  expect(status.applicationState.errorMessage).toContain('spec.mainClass');
});

test('a foreign Pod has the name of the driver: FAILED, and the Pod is untouched', async () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'taken-driver', namespace: jobs }, spec: { containers: [{ name: 'c', image: 'example.org/other:1' }] } };
  await apply(pod);
  const { metadata: { uid } } = await get(jobs, 'pod', 'taken-driver');
  await apply(application('taken'));
  const { status } = await waitForState(jobs, 'taken', 'FAILED');

  expect(status.applicationState.errorMessage).toBe('a Pod taken-driver exists that this submission did not create; delete it, or choose another name in spec.driver.podName');
  expect((await get(jobs, 'pod', 'taken-driver')).metadata).toMatchObject({ uid });
});

describe('with a deadline of 20 seconds', () => {
  beforeAll(async () => {
    await operator.stop();
    operator = await start('--driver-start-timeout=20s');
  });
  afterAll(async () => {
    await operator.stop();
    operator = await start();
  });

  test('an image that does not exist: the reason is shown while it waits, then the application is FAILED and its driver gone', async () => {
    await apply(application('no-image'));
    await waitForState(jobs, 'no-image', 'SUBMITTED');
    await setPodStatus('no-image-driver', {
      phase: 'Pending', startTime: now(), containerStatuses: container({ waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "example.org/spark:1"' } }),
    });
    await waitForStatus(jobs, 'no-image', (current) => current.applicationState?.errorMessage === 'driver does not start: ImagePullBackOff: Back-off pulling image "example.org/spark:1"');
    const { status } = await waitForState(jobs, 'no-image', 'FAILED');

    expect(status.applicationState.errorMessage).toBe('driver does not start: ImagePullBackOff: Back-off pulling image "example.org/spark:1" (the operator gave up after 20s)');
    expect((await tryKubectl(['get', 'pod', 'no-image-driver', '-n', jobs])).stderr).toContain('not found');
  });

  test('a service account that does not exist: the reason is shown while it waits, then the application is FAILED and nothing is left behind', async () => {
    await apply(application('no-account', { driver: { serviceAccount: 'missing' } }));
    const reason = `the API server does not create Pod no-account-driver: pods "no-account-driver" is forbidden: error looking up service account ${jobs}/missing: serviceaccount "missing" not found (create it with the permissions of a driver, or name another account)`;
    await waitForStatus(jobs, 'no-account', (current) => current.applicationState?.errorMessage === `driver cannot be created yet: ${reason}`);
    const { status } = await waitForState(jobs, 'no-account', 'FAILED');

    expect(status.applicationState.errorMessage).toBe(`failed to run spark-submit: ${reason} (the operator gave up after 20s)`);
    expect(status.executionAttempts).toBeUndefined();
    expect(await list(jobs, 'pods,services,configmaps', 'sparkoperator.k8s.io/app-name=no-account')).toEqual([]);
  });
});

test('a service account that does not exist, with retries of submissions: FAILED after them, as with kubeflow', async () => {
  const begin = Date.now();
  await apply(application('retried', {
    driver: { serviceAccount: 'missing' },
    restartPolicy: { type: 'OnFailure', onSubmissionFailureRetries: 2, onSubmissionFailureRetryInterval: 1 },
  }));
  const { status } = await waitForState(jobs, 'retried', 'FAILED');

  // Without retries it would wait for five minutes.
  expect(Date.now() - begin).toBeLessThan(150_000);
  await firstEventOf(jobs, 'SparkApplicationSubmissionFailed', 'retried');
  expect(status.submissionAttempts).toBe(3);
  expect(status.applicationState.errorMessage).toMatch(/^failed to run spark-submit: .*serviceaccount "missing" not found \(create it/);
  expect(await list(jobs, 'pods,services,configmaps', 'sparkoperator.k8s.io/app-name=retried')).toEqual([]);
});

test('a service account that comes later than its application: it runs', async () => {
  await apply(application('early', { driver: { serviceAccount: 'late' } }));
  await waitForStatus(jobs, 'early', (status) => /serviceaccount "late" not found/.test(status.applicationState?.errorMessage));
  await kubectl(['create', 'serviceaccount', 'late', '-n', jobs]);
  const { status } = await waitForState(jobs, 'early', 'SUBMITTED');

  // The only remaining reason is that there is no node.
  expect(status.applicationState.errorMessage ?? '').not.toContain('serviceaccount');
});

test('a quota that is used up: it waits, and runs when there is room', async () => {
  await apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'none', namespace: jobs }, spec: { hard: { 'count/services': '0' } } });
  await waitFor(jobs, 'resourcequota/none', 'jsonpath={.status.hard}');
  await apply(application('thrifty'));
  await waitForStatus(jobs, 'thrifty', (status) => /exceeded quota: none/.test(status.applicationState?.errorMessage));
  await kubectl(['delete', 'resourcequota', 'none', '-n', jobs]);
  await waitForState(jobs, 'thrifty', 'SUBMITTED');
});

test('an admission webhook that is out of reach: it waits; the driver is created once, of what is written by now', async () => {
  const webhook = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: `${jobs}-down` },
    webhooks: [{
      name: 'down.example.org',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': jobs } },
      sideEffects: 'None', admissionReviewVersions: ['v1'], failurePolicy: 'Fail',
    }],
  };
  await apply(webhook);
  try {
    await apply(application('patient'));
    await waitForStatus(jobs, 'patient', (status) => /failed calling webhook "down.example.org"/.test(status.applicationState?.errorMessage));
    await kubectl(['patch', 'sparkapp', 'patient', '-n', jobs, '--type=merge', '-p', '{"spec":{"driver":{"podName":"other"},"arguments":["new"]}}']);
  } finally {
    await kubectl(['delete', 'validatingwebhookconfiguration', webhook.metadata.name]);
  }
  const { status } = await waitForState(jobs, 'patient', 'SUBMITTED');

  expect(status).toMatchObject({ driverInfo: { podName: 'other' }, submissionAttempts: 1 });
  const [driver, ...others] = await list(jobs, 'pods', 'sparkoperator.k8s.io/app-name=patient');
  expect(others).toEqual([]);
  expect(driver.spec.containers[0].args).toContain('new');
  // It was tried with pauses: our own writes must not wake us to try at once.
  const { metrics } = await operator.ports();
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  expect(Number(/requests_total\{verb="create",resource="pods",status="500"\} (\d+)/.exec(text)![1])).toBeLessThan(10);
});

test('an application that is deleted and created again waits for the driver of the previous one', async () => {
  await apply(application('phoenix'));
  const before = await waitForState(jobs, 'phoenix', 'SUBMITTED');
  await bindToNowhere(jobs, 'phoenix-driver');
  await kubectl(['delete', 'sparkapp', 'phoenix', '-n', jobs]);
  await apply(application('phoenix'));
  await waitForStatus(jobs, 'phoenix', (status) => status.applicationState?.errorMessage === 'driver cannot be created yet: a previous Pod phoenix-driver is still being deleted');
  // Kubernetes' garbage collectors may be faster.
  await kubectl(['delete', 'pod', 'phoenix-driver', '-n', jobs, '--grace-period=0', '--force', '--ignore-not-found']);
  const { metadata } = await waitForState(jobs, 'phoenix', 'SUBMITTED');

  expect(metadata.uid).not.toBe(before.metadata.uid);
  expect((await get(jobs, 'pod', 'phoenix-driver')).metadata.ownerReferences[0].uid).toBe(metadata.uid);
});

test('a driver that lost the label by which it is watched is still found', async () => {
  await apply(application('hidden'));
  await waitForState(jobs, 'hidden', 'SUBMITTED');
  await kubectl(['label', 'pod', 'hidden-driver', '-n', jobs, 'sparkoperator.k8s.io/launched-by-spark-operator-']);
  await setPodStatus('hidden-driver', { phase: 'Succeeded', containerStatuses: container({ terminated: { exitCode: 0, reason: 'Completed', startedAt: now(), finishedAt: now() } }) });
  await kubectl(['annotate', 'sparkapp', 'hidden', '-n', jobs, 'look=again']);
  await waitForState(jobs, 'hidden', 'COMPLETED');
});

test('a namespace that is not there does not keep the others waiting', async () => {
  await operator.stop();
  operator = new OperatorProcess([`--kubeconfig=${installation.kubeconfig}`, `--namespaces=gone,${jobs}`]);
  await operator.ready();
  await apply(application('undisturbed'));
  await waitForState(jobs, 'undisturbed', 'SUBMITTED');

  const { health } = await operator.ports();
  const answer = await fetch(`http://127.0.0.1:${health}/readyz`);
  expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 200, body: expect.stringMatching(new RegExp(`^gone: cannot be watched: .*403.*\\n${jobs}: ok\\n$`)) });
  await operator.stop();
  operator = await start();
});

test('a crash between the intent and the driver: the submission continues under its id, once', async () => {
  await operator.stop('SIGKILL');
  await apply(application('crash'));
  const intent = { submissionID: '0c6ecae1-65a6-4ac4-97c3-4d0c3c0f7c0b', specHash: 'of-this', observedGeneration: 1, submissionAttempts: 1, lastSubmissionAttemptTime: '2026-03-01T10:00:00Z', driverInfo: { podName: 'crash-driver' }, applicationState: { state: '' } };
  await kubectl(['patch', 'sparkapp', 'crash', '-n', jobs, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: intent })]);
  operator = await start();
  const { status } = await waitForState(jobs, 'crash', 'SUBMITTED');

  expect(status).toMatchObject({ submissionID: intent.submissionID, submissionAttempts: 1, executionAttempts: 1, sparkApplicationId: 'spark-0c6ecae165a64ac497c34d0c3c0f7c0b' });
});

test('a crash between the driver and the status: the driver is found, not made again', async () => {
  const { metadata: { uid } } = await get(jobs, 'pod', 'crash-driver');
  const { status } = await get(jobs, 'sparkapp', 'crash');
  await operator.stop('SIGKILL');
  const { sparkApplicationId: _, executionAttempts: __, ...before } = status;
  await kubectl(['patch', 'sparkapp', 'crash', '-n', jobs, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: { ...before, sparkApplicationId: null, executionAttempts: null, applicationState: { state: '' } } })]);
  operator = await start();
  await waitForState(jobs, 'crash', 'SUBMITTED');

  expect((await get(jobs, 'pod', 'crash-driver')).metadata.uid).toBe(uid);
  expect(await list(jobs, 'services,configmaps', 'sparkoperator.k8s.io/app-name=crash')).toHaveLength(2);
});

test('a driver that is deleted: FAILED', async () => {
  await kubectl(['delete', 'pod', 'crash-driver', '-n', jobs, '--grace-period=0', '--force']);
  const { status } = await waitForState(jobs, 'crash', 'FAILED');

  expect(status.applicationState.errorMessage).toBe('driver pod not found: it was deleted, or its node is gone');
});

test('other objects of a driver: a claim, a NetworkPolicy, the configuration of metrics; the operator deletes them when the driver is gone', async () => {
  await apply(application('rich', {
    sparkVersion: '4.3.0',
    sparkConf: {
      'spark.kubernetes.driver.volumes.persistentVolumeClaim.data.mount.path': '/data',
      'spark.kubernetes.driver.volumes.persistentVolumeClaim.data.options.claimName': 'OnDemand',
      'spark.kubernetes.driver.volumes.persistentVolumeClaim.data.options.storageClass': 'none',
      'spark.kubernetes.driver.volumes.persistentVolumeClaim.data.options.sizeLimit': '1Gi',
    },
    monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: '/prometheus/agent.jar' } },
    driver: { serviceAccount: 'spark', sidecars: [{ name: 'proxy', image: 'example.org/proxy:1', readinessProbe: { httpGet: { port: '8080' } }, resources: { requests: { cpu: 0.5 } } }] },
  }));
  const { status } = await waitForState(jobs, 'rich', 'SUBMITTED');
  const kinds = 'configmaps,services,persistentvolumeclaims,networkpolicies';
  const created = async () => (await list(jobs, kinds, `sparkoperator.k8s.io/submission-id=${status.submissionID}`)).map((object) => object.kind).sort();

  expect(await created()).toEqual(['ConfigMap', 'ConfigMap', 'NetworkPolicy', 'PersistentVolumeClaim', 'Service']);
  const { spec } = await get(jobs, 'pod', 'rich-driver');
  expect(spec.containers.find((each: any) => each.name === 'proxy')).toMatchObject({ readinessProbe: { httpGet: { port: 8080 } }, resources: { requests: { cpu: '500m' } } });

  await kubectl(['delete', 'pod', 'rich-driver', '-n', jobs, '--grace-period=0', '--force']);
  await waitForState(jobs, 'rich', 'FAILED');
  // A claim is protected until its Pod is gone, by a controller that is not part of this cluster.
  expect((await created()).filter((kind) => kind !== 'PersistentVolumeClaim')).toEqual([]);
});

test('one event reports settings without effect', async () => {
  await apply(application('twice', { sparkVersion: 'latest', sparkConf: { 'spark.driver.memory': '3g' }, driver: { serviceAccount: 'spark', memory: '2g' } }));
  await waitForState(jobs, 'twice', 'SUBMITTED');
  await operator.stop();
  operator = await start();
  const events = (await list(jobs, 'events')).filter((event) => event.involvedObject.name === 'twice' && event.reason === 'SparkApplicationSpecWarning');

  expect(events.map((event) => event.message)).toEqual([
    'spec.sparkConf[spark.driver.memory] is overridden by spec.driver.memory; '
    + 'spec.sparkVersion is "latest", not a version of Spark: the driver is created as by Spark 4.3; write the version in the image, such as 4.1.1',
  ]);
});

test('spark-submit runs in a Pod of the application, which the next operator adopts', async () => {
  const asked = application('jvm');
  await apply({ ...asked, metadata: { ...asked.metadata, annotations: { 'sparkoperator.k8s.io/submission-mode': 'spark-submit' } } });
  const pods = () => list(jobs, 'pods', 'sparkoperator.k8s.io/app-name=jvm');
  await until(async () => (await pods()).length === 1);
  await operator.stop('SIGKILL');
  operator = await start();
  const [pod] = await pods();
  expect(pod.metadata.labels['spark-role']).toBe('submitter');

  const terminated = { exitCode: 1, reason: 'Error', message: 'Exception in thread "main" org.apache.spark.SparkException: no such file\n' };
  await kubectl(['patch', 'pod', pod.metadata.name, '-n', jobs, '--subresource=status', '--type=merge', '-p', JSON.stringify({
    status: { phase: 'Failed', containerStatuses: [{ name: 'spark-submit', state: { terminated } }] },
  })]);
  const { status } = await waitForState(jobs, 'jvm', 'FAILED');
  expect(status).toMatchObject({ submissionAttempts: 1, applicationState: { errorMessage: 'failed to run spark-submit: no such file' } });
  expect((await pods()).map(({ metadata }) => metadata.uid)).toEqual([pod.metadata.uid]);
});

test('known failure 8: a deleted application takes everything along', async () => {
  await kubectl(['delete', 'sparkapp', 'pi', '-n', jobs]);
  // Kubernetes' garbage collector learns of a new kind within half a minute.
  await waitFor(jobs, 'pod/pi-driver', 'delete', 150);
  for (const kind of ['service', 'configmap']) {
    const [left] = await list(jobs, kind, 'sparkoperator.k8s.io/app-name=pi');
    if (left) await waitFor(jobs, `${kind}/${left.metadata.name}`, 'delete', 150);
  }
});

test('health, readiness and metrics are served', async () => {
  const { health, metrics } = await operator.ports();
  for (const path of ['healthz', 'readyz']) expect((await fetch(`http://127.0.0.1:${health}/${path}`)).status).toBe(200);
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  expect(text).toMatch(/^spark_application_failure_count\{app_type="Unknown"\} 1$/m);
  expect(text).toContain('spark_operator_kubernetes_requests_total{verb="update",resource="sparkapplications/status",status="200"}');
  for (const name of ['workqueue_work_duration_seconds_count', 'workqueue_adds_total', 'workqueue_retries_total']) {
    expect(text).toMatch(new RegExp(`^${name}\\{name="sparkapplication",controller="sparkapplication"\\} [1-9]`, 'm'));
  }
  expect(text).toMatch(/^rest_client_requests_total\{code="200",method="PUT",host="[^"]+:\d+"\} [1-9]/m);
  expect(text).toMatch(/^leader_election_master_status\{name="[^"]+"\} 1$/m);
  // This operator found the driver that the previous one had created.
  expect(text).not.toContain('verb="create",resource="pods"');
  expect((await fetch(`http://127.0.0.1:${metrics}/nothing`)).status).toBe(404);
});

test('the rights that SparkOperator gives sufficed', async () => {
  const { metrics } = await operator.ports();
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  expect(text).not.toMatch(/status="(401|403)"/);
  expect(operators.flatMap(({ log }) => log).filter((line) => /cannot (get|list|watch|create|update|patch|delete) resource/.test(JSON.stringify(line)))).toEqual([]);
});
