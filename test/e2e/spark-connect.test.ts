/*
 * A Spark Connect server with real Spark, and the real Python client, which goes through the Service. One server after the other: each is a JVM on a node with two CPUs.
 */
import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Chart, Duration, Size, Testing } from 'cdk8s';
import { DynamicAllocation, ImagePullPolicy, SparkConnect, SparkConnectRestartPolicy } from '../../src';
import { waitForConnect } from '../helpers/connects';
import { QUICK_PROPERTIES } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, SPARK_TIME, waitFor } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { eventsOf, firstEventOf } from '../helpers/traces';

const TOTALS = 'totals [166833, 166167, 166500]';

let installation: Installation;
let jobs: string;

beforeAll(async () => {
  installation = await install('e2e-connect', { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT });
  jobs = installation.jobs;
  await waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available');
  const chart = new Chart(Testing.app(), 'connect', { namespace: jobs });
  new SparkConnect(chart, 'notebooks', {
    metadata: { name: 'notebooks' },
    sparkVersion: '4.1.1',
    image: process.env.SPARK_IMAGE,
    server: { memory: Size.mebibytes(768) },
    executor: { memory: Size.mebibytes(512) },
    dynamicAllocation: DynamicAllocation.upTo(1),
    sparkConf: {
      ...QUICK_PROPERTIES,
      'spark.kubernetes.driver.request.cores': '100m',
      'spark.kubernetes.executor.request.cores': '100m',
      'spark.sql.shuffle.partitions': '2',
      ...PATIENT,
    },
    restartPolicy: SparkConnectRestartPolicy.always({ interval: Duration.seconds(1) }),
    idleTimeToLive: Duration.hours(1),
  });
  await apply(Testing.synth(chart));
});

afterAll(() => installation?.remove());

/** The client, in a process of its own, as it is in a notebook. */
class Client {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly answers: AsyncIterator<string>;
  private errors = '';

  constructor(address: string) {
    this.child = spawn('python3', [join(__dirname, 'connect-client.py'), `sc://${address}`], { env: { ...process.env, PYTHONPATH: process.env.CONNECT_CLIENT } });
    this.answers = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    this.child.stderr.on('data', (text) => {
      this.errors = `${this.errors}${text}`.slice(-2_000);
    });
  }

  async say(command: string): Promise<string> {
    this.child.stdin.write(`${command}\n`);
    const { value, done } = await this.answers.next();
    if (done) throw new Error(`the client has ended: ${this.errors}`);
    return value;
  }

  end(): void {
    this.child.kill();
  }
}

/** Executes a notebook, and returns the outputs of each cell. */
async function runNotebook(name: string, address: string): Promise<Record<string, string[]>> {
  const home = mkdtempSync(join(tmpdir(), 'notebook-'));
  const packages = process.env.CONNECT_CLIENT!;
  const environment = {
    ...process.env, PYTHONPATH: packages, JUPYTER_PATH: join(packages, 'share/jupyter'), HOME: home, IPYTHONDIR: home, SPARK_REMOTE: `sc://${address}`,
  };
  try {
    return await new Promise((resolve, reject) => {
      execFile('python3', [join(__dirname, 'run-notebook.py'), join(__dirname, name)], { env: environment }, (error, stdout, stderr) => {
        if (error) reject(new Error(`the notebook has failed: ${stdout}${stderr.slice(-4_000)}`));
        else resolve(JSON.parse(stdout.trim().split('\n').at(-1)!));
      });
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The Service from outside the pods: by its address, or, on a cluster elsewhere, by a forwarded port. */
async function addressOf(service: string): Promise<string> {
  if (!process.env.TEST_CONTEXT) return `${(await get(jobs, 'service', service)).spec.clusterIP}:15002`;
  forward(service);
  return 'localhost:15002';
}

let isForwarding = true;

/** A forwarded port ends with the pod that it leads to. */
function forward(service: string): void {
  const child = spawn('kubectl', [`--context=${process.env.TEST_CONTEXT}`, 'port-forward', '-n', jobs, `service/${service}`, '15002'], { stdio: 'ignore' });
  const end = setInterval(() => { if (!isForwarding) child.kill(); }, 200);
  child.once('exit', () => {
    clearInterval(end);
    if (isForwarding) setTimeout(() => forward(service), 500);
  });
}

const edit = (spec: object) => kubectl(['patch', 'sparkconnect', 'notebooks', '-n', jobs, '--type=merge', '-p', JSON.stringify({ spec })]);
const ready = (than = '') => waitForConnect(jobs, 'notebooks', ({ state, conditions = [] }) => (
  state === 'Ready' && conditions.some(({ type, lastTransitionTime }: any) => type === 'ServerPodReady' && lastTransitionTime > than)
), SPARK_TIME);

test('queries through the Service, over a crash, an edit and a suspension, until it is deleted as idle', async () => {
  const first = await ready();
  const pod = await get(jobs, 'pod', 'notebooks-server');
  expect(pod.spec.containers[0].args).toEqual([
    'driver', '--properties-file', '/opt/spark/conf/spark.properties', '--class', 'org.apache.spark.sql.connect.service.SparkConnectServer', 'spark-internal',
  ]);
  const address = await addressOf(first.status.server.serviceName);
  const client = new Client(address);
  try {
    expect(await client.say('open')).toBe('opened');
    expect(await client.say('query')).toBe(TOTALS);
    await waitForConnect(jobs, 'notebooks', ({ executors }) => executors?.running === 1);

    // Beside the first client, in a session of its own.
    const { connect, query, view, mistake, stop } = await runNotebook('notebook.ipynb', address);
    expect(connect).toEqual(["'4.1.1'"]);
    expect(query![0]!.match(/\d{4,}/g)).toEqual(['166833', '166167', '166500']);
    expect(view).toEqual([expect.stringMatching(/^\| +334\|$/m)]);
    expect(mistake).toEqual([expect.stringMatching(/^AnalysisException: \[TABLE_OR_VIEW_NOT_FOUND\]/)]);
    expect(stop).toEqual([]);

    // The JVM is killed from within, as by the kernel when memory runs out.
    await kubectl(['exec', '-n', jobs, 'notebooks-server', '--', 'pkill', '-9', 'java']);
    // The status soon shows the next start; the event stays.
    expect((await firstEventOf(jobs, 'SparkConnectServerFailed', 'notebooks')).message).toContain('ExitCode: 137');
    expect((await get(jobs, 'sparkconnect', 'notebooks')).status.restarts).toBe(1);
    await ready(first.status.conditions[0].lastTransitionTime);
    expect(await client.say('open')).toBe('opened');
    expect(await client.say('query')).toBe(TOTALS);

    await edit({ sparkConf: { 'spark.sql.session.timeZone': 'Pacific/Auckland' } });
    const edited = await waitForConnect(jobs, 'notebooks', ({ state, observedGeneration }) => state !== 'Ready' && observedGeneration === 2);
    await ready(edited.status.conditions[0].lastTransitionTime);
    expect(await client.say('open')).toBe('opened');
    expect(await client.say('property spark.sql.session.timeZone')).toBe('is Pacific/Auckland');
    expect(await client.say('close')).toBe('closed');
  } finally {
    client.end();
    isForwarding = false;
  }

  await edit({ suspend: true });
  const suspended = await waitForConnect(jobs, 'notebooks', ({ state }) => state === 'Suspended', SPARK_TIME);
  await kubectl(['wait', '--for=delete', 'pods', '-n', jobs, '-l', 'sparkoperator.k8s.io/connect-name=notebooks', '--timeout=180s']);
  expect((await list(jobs, 'services', 'sparkoperator.k8s.io/connect-name=notebooks')).map(({ metadata }) => metadata.name)).toEqual(['notebooks-server']);
  await edit({ suspend: false, idleTimeToLiveSeconds: 5 });
  await ready(suspended.status.conditions[0].lastTransitionTime);
  await waitFor(jobs, 'sparkconnect/notebooks', 'delete', SPARK_TIME);
  expect(await eventsOf(jobs, 'SparkConnectIdle', 'notebooks')).toHaveLength(1);
  expect(await eventsOf(jobs, 'SparkConnectSessionsUnknown', 'notebooks')).toEqual([]);
});
