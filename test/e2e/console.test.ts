/* The console beside a real kubelet and real Spark: the one that SparkOperator deploys, with a token of the cluster; and one's own, with the Spark UI of a driver. */
import { Chart, Size, Testing } from 'cdk8s';
import { AccessSubject, ImagePullPolicy, SparkApplication, SparkApplicationType, SparkJobNamespace } from '../../src';
import type { Browser, Page } from 'playwright-core';
import { Visitor } from '../console/helpers/visitor';
import { startBrowser } from '../helpers/browser';
import { FAST_START, QUICK_JVM } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { apply, kubectl, SPARK_TIME, tokenOf, waitFor, waitForStatus } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { startKubectl, startSparkctl, type RunningProgram } from '../helpers/running-program';

/** JVMs that start quickly: the node has two CPUs for everything. */
const SMALL = { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: QUICK_JVM };
const NAME = 'e2e-console';
const JOBS = `${NAME}-jobs`;

/** Milliseconds for a page of a busy node. */
const SLOWLY = 120_000;

let installation: Installation;
let browser: Browser | undefined;
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
  for (const name of ['spark-operator', 'spark-operator-console']) await waitFor(installation.namespace, `deployment/${name}`, 'condition=Available');
  const chart = new Chart(Testing.app(), 'jobs', { namespace: JOBS });
  for (const name of ['shown', 'other']) addApplication(chart, name);
  await apply(Testing.synth(chart));
  await waitForStatus(JOBS, 'shown', ({ executorState }) => Object.values(executorState ?? {}).includes('RUNNING'), SPARK_TIME);
});

/** Adds an application that runs until it is removed. */
function addApplication(chart: Chart, name: string): void {
  new SparkApplication(chart, name, {
    metadata: { name },
    type: SparkApplicationType.PYTHON,
    sparkVersion: '4.1.1',
    image: process.env.SPARK_IMAGE,
    fastStart: FAST_START,
    mainApplicationFile: 'local:///opt/spark/applications/attempts.py',
    arguments: ['query'],
    sparkConf: PATIENT,
    driver: { ...SMALL, extraEnv: [{ name: 'ATTEMPT', valueFrom: { fieldRef: { fieldPath: "metadata.labels['sparkoperator.k8s.io/attempt']" } } }] },
    executor: { instances: 1, ...SMALL },
  });
}

afterAll(async () => {
  await browser?.close();
  for (const child of children) child.signal('SIGKILL');
  await installation?.remove();
});

test('in the cluster: by its Service, with a token, an application and the log of its driver', async () => {
  const forward = started(startKubectl('port-forward', 'service/spark-operator-console', ':80', '-n', installation.namespace));
  const [, port] = await forward.printed(/^Forwarding from 127\.0\.0\.1:(\d+) -> 8088/m);
  const nobody = new Visitor(Number(port));
  expect((await nobody.get('/api/session')).status).toBe(401);
  const reader = nobody.with({ authorization: `Bearer ${await tokenOf(JOBS, 'reader')}` });
  expect(await reader.applications()).toEqual([`${JOBS}/other`, `${JOBS}/shown`]);
  const detail = JSON.parse((await reader.get(`/api/applications/${JOBS}/shown`)).text);
  expect(detail).toMatchObject({ row: { state: 'RUNNING' }, driverPod: 'shown-driver' });
  expect(detail.pods.map(({ role, state }: any) => [role, state])).toEqual([['driver', 'RUNNING'], ['executor', 'RUNNING']]);
  expect((await reader.get(`/api/applications/${JOBS}/shown/log?pod=shown-driver`)).text).toMatch(/^Attempt 1: query$/m);
});

test('in the cluster, in a browser: a bookmark, a reload, back, the log of a driver, a lost connection and a token that ends', async () => {
  const service = ['service/spark-operator-console', '-n', installation.namespace] as const;
  let forward = started(startKubectl('port-forward', ...service, ':80'));
  const [, port] = await forward.printed(/^Forwarding from 127\.0\.0\.1:(\d+) -> 8088/m);
  browser ??= await startBrowser();
  const context = await browser.newContext();
  context.setDefaultTimeout(SLOWLY);
  const page = await context.newPage();
  const base = `http://127.0.0.1:${port}/`;
  const signIn = async () => {
    await page.getByLabel('Bearer token').fill(await tokenOf(JOBS, 'reader'));
    await page.keyboard.press('Enter');
    await page.getByText('Live', { exact: true }).waitFor();
  };
  await page.goto(`${base}#/applications/${JOBS}/shown/logs`);
  await signIn();
  // Only the lines in view are in the page; the search finds all.
  const expectLog = async () => {
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('attempt 1: query');
    await page.getByText(/^[1-9]\d* matching lines?$/).waitFor();
  };
  await expectLog();
  await page.reload();
  await expectLog();
  await page.getByRole('link', { name: 'Pods' }).click();
  await page.getByRole('cell', { name: 'shown-driver', exact: true }).waitFor();
  await page.goBack();
  await expectLog();
  expect(await page.getByText('No operator runs').count()).toBe(0);

  forward.signal('SIGKILL');
  await forward.code();
  await page.getByText(/Connection lost: no news since .*; this might be outdated/).waitFor();
  forward = started(startKubectl('port-forward', ...service, `${port}:80`));
  await page.getByText('Live', { exact: true }).waitFor();
  await expectLog();

  // Kubernetes rejects the tokens of a deleted service account, as it does expired ones.
  await kubectl(['delete', 'serviceaccount', 'reader', '-n', JOBS]);
  await page.getByText('the API server does not accept this token; it might have expired').waitFor();
  await kubectl(['create', 'serviceaccount', 'reader', '-n', JOBS]);
  await signIn();
  await expectLog();
  await context.close();
});

test("one's own: in a browser, the Spark UI of one driver and then of another", async () => {
  const ui = started(startSparkctl('ui', '--no-open', '-n', JOBS));
  const [url] = await ui.printed(/^http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/m);
  browser ??= await startBrowser();
  const context = await browser.newContext();
  context.setDefaultTimeout(SLOWLY);
  const page = await context.newPage();
  await page.goto(url!);
  await page.getByText('Live', { exact: true }).waitFor();
  const origins: string[] = [];
  for (const name of ['shown', 'other']) {
    const { status } = await waitForStatus(JOBS, name, ({ executorState }) => Object.values(executorState ?? {}).includes('RUNNING'), SPARK_TIME);
    await page.goto(`${new URL(url!).origin}/#/applications/${JOBS}/${name}`);
    const [tab] = await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name: 'Open the Spark UI' }).click()]);
    await tab.waitForURL('**/jobs/');
    origins.push(new URL(tab.url()).origin);
    await expectSparkUi(tab, status.sparkApplicationId);
  }
  expect(new Set([new URL(url!).origin, ...origins]).size).toBe(3);
  const [first] = context.pages().filter((tab) => tab.url().startsWith(origins[0]!));
  expect((await first!.reload())!.status()).toBe(200);
  // Back and forward within the Spark UI, and its address in another tab of this browser.
  await first!.goBack();
  await first!.goForward();
  await first!.waitForURL('**/executors/');
  const bookmark = await context.newPage();
  expect((await bookmark.goto(`${origins[0]}/environment/`))!.status()).toBe(200);
  expect((await fetch(`${origins[0]}/jobs/`)).status).toBe(401);
  ui.signal('SIGINT');
  expect(await ui.code()).toBe(130);
});

/** Goes through the pages of a driver, beginning with its jobs. */
async function expectSparkUi(tab: Page, applicationId: string): Promise<void> {
  expect(await tab.title()).toMatch(/Spark Jobs$/);
  // Spark adds the page of queries with the first one.
  const queries = tab.getByRole('link', { name: 'SQL / DataFrame' });
  do expect((await tab.reload())!.status()).toBe(200); while (!await queries.isVisible());
  await queries.click();
  await tab.waitForURL('**/SQL/');
  const query = tab.locator('td:visible', { hasText: 'count at' }).first();
  while (!await query.isVisible()) await tab.reload();
  await tab.getByRole('link', { name: 'Executors', exact: true }).click();
  await tab.waitForURL('**/executors/');
  // Scripts of the page ask the driver for these.
  for (const id of ['driver', '1']) await tab.locator('#active-executors-table td:visible', { hasText: new RegExp(`^${id}$`) }).first().waitFor();
  expect(await tab.evaluate('fetch("/api/v1/applications").then((answer) => answer.json())')).toMatchObject([{ id: applicationId }]);
}
