/* The console beside a real kubelet and real Spark: the one that SparkOperator deploys, with a token of the cluster; and one's own, with the Spark UI of a driver. */
import { Chart, Size, Testing } from 'cdk8s';
import { AccessSubject, ImagePullPolicy, SparkApplication, SparkApplicationType, SparkJobNamespace } from '../../src';
import { Visitor } from '../console/helpers/visitor';
import { install, type Installation } from '../helpers/installation';
import { apply, kubectl, waitFor, waitForStatus } from '../helpers/kubectl';
import { startKubectl, startSparkctl, type RunningProgram } from '../helpers/running-program';

/** JVMs that start quickly: the node has two CPUs for everything. */
const SMALL = { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: '-XX:+UseSerialGC -XX:TieredStopAtLevel=1' };
const NAME = 'e2e-console';
const JOBS = `${NAME}-jobs`;

let installation: Installation;
const children: RunningProgram[] = [];

function started(child: RunningProgram): RunningProgram {
  children.push(child);
  return child;
}

beforeAll(async () => {
  installation = await install(NAME, { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT, jobNamespaces: [], console: {} }, (operator) => (
    void new SparkJobNamespace(Chart.of(operator), 'jobs', { name: JOBS, operator, viewers: [AccessSubject.serviceAccount(JOBS, 'reader')] })
  ));
  await kubectl(['create', 'serviceaccount', 'reader', '-n', JOBS]);
  for (const name of ['spark-operator', 'spark-operator-console']) await waitFor(installation.namespace, `deployment/${name}`, 'condition=Available', 90);
  const chart = new Chart(Testing.app(), 'jobs', { namespace: JOBS });
  new SparkApplication(chart, 'shown', {
    metadata: { name: 'shown' },
    type: SparkApplicationType.PYTHON,
    sparkVersion: '4.1.1',
    image: process.env.SPARK_IMAGE,
    mainApplicationFile: 'local:///opt/spark/applications/attempts.py',
    arguments: ['work'],
    driver: { ...SMALL, extraEnv: [{ name: 'ATTEMPT', valueFrom: { fieldRef: { fieldPath: "metadata.labels['sparkoperator.k8s.io/attempt']" } } }] },
    executor: { instances: 1, ...SMALL },
  });
  await apply(Testing.synth(chart));
  await waitForStatus(JOBS, 'shown', ({ executorState }) => Object.values(executorState ?? {}).includes('RUNNING'), 180);
}, 400_000);

afterAll(async () => {
  for (const child of children) child.signal('SIGKILL');
  await installation?.remove();
});

test('in the cluster: by its Service, with a token, an application and the log of its driver', async () => {
  const forward = started(startKubectl('port-forward', 'service/spark-operator-console', ':80', '-n', installation.namespace));
  const [, port] = await forward.printed(/^Forwarding from 127\.0\.0\.1:(\d+) -> 8088/m);
  const nobody = new Visitor(Number(port));
  expect((await nobody.get('/api/session')).status).toBe(401);
  const reader = nobody.with({ authorization: `Bearer ${(await kubectl(['create', 'token', 'reader', '-n', JOBS])).trim()}` });
  expect(await reader.applications()).toEqual([`${JOBS}/shown`]);
  const detail = JSON.parse((await reader.get(`/api/applications/${JOBS}/shown`)).text);
  expect(detail).toMatchObject({ row: { state: 'RUNNING' }, driverPod: 'shown-driver' });
  expect(detail.pods.map(({ role, state }: any) => [role, state])).toEqual([['driver', 'RUNNING'], ['executor', 'RUNNING']]);
  expect((await reader.get(`/api/applications/${JOBS}/shown/log?pod=shown-driver`)).text).toMatch(/^Attempt 1: work$/m);
}, 60_000);

test("one's own: the Spark UI of the driver", async () => {
  const ui = started(startSparkctl('ui', '--no-open', '-n', JOBS));
  const [url] = await ui.printed(/^http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/m);
  const user = await new Visitor(Number(new URL(url!).port)).admitted(url!);
  const { url: entrance } = JSON.parse((await user.post(`/api/applications/${JOBS}/shown/spark-ui`)).text) as { readonly url: string };
  expect(new URL(entrance).host).not.toBe(new URL(url!).host);

  const { status } = await waitForStatus(JOBS, 'shown', ({ sparkApplicationId }) => sparkApplicationId !== undefined, 30);
  const jobs = new URL('/jobs/', entrance);
  expect((await fetch(jobs)).status).toBe(401);
  const headers = { cookie: await cookieOf(entrance) };
  const page = await (await fetch(jobs, { headers })).text();
  expect(page).toMatch(/<title>[^<]*Spark Jobs<\/title>/);
  const [, style] = /href="(\/static\/[^"]*webui\.css[^"]*)"/.exec(page)!;
  expect((await (await fetch(new URL(style!, entrance), { headers })).text()).length).toBeGreaterThan(1_000);
  expect(await (await fetch(new URL('/api/v1/applications', entrance), { headers })).json()).toMatchObject([{ id: status.sparkApplicationId }]);
  ui.signal('SIGINT');
  expect(await ui.code()).toBe(130);
}, 60_000);

/** Returns the cookie of a browser that has followed an address with a ticket. */
async function cookieOf(url: string): Promise<string> {
  const { status, headers } = await fetch(url, { redirect: 'manual' });
  expect(status).toBe(303);
  return headers.getSetCookie()[0]!.split(';')[0]!;
}
