/*
 * Runs local programs in a cluster: `sparkctl create` and `sparkctl submit` upload them to a volume
 * or an object store and wait for their end. Records a terminal session for docs/reference/sparkctl/README.md if UPDATE_IMAGES=1 is set.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_ADDRESS } from '../../tools/local-cluster/cluster/addresses.ts';
import { framesOf, played } from '../../tools/recording/frames.ts';
import { svgOf } from '../../tools/recording/svg.ts';
import { ImagePullPolicy } from '../../src';
import { FAST_START, QUICK_JVM, QUICK_PROPERTIES } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, SPARK_TIME, waitFor, waitForState } from '../helpers/kubectl';
import { GcsServer } from '../helpers/gcs-server';
import { KEYS, S3Server } from '../helpers/s3-server';
import { runSparkctl } from '../helpers/sparkctl-process';
import { TerminalSession } from '../helpers/terminal-session';

const root = join(__dirname, '../..');
const image = process.env.SPARK_IMAGE!;
/** Folder of the node. */
const FOLDER = '/run/e2e-sparkctl-programs';
const VOLUME = 'e2e-sparkctl-programs';
/** JVMs that start quickly: the node has two CPUs for everything. */
const small = { coreRequest: '100m', memory: '512m', javaOptions: QUICK_JVM };
const folder = mkdtempSync(join(tmpdir(), 'sparkctl-e2e-'));
let installation: Installation;
let jobs: string;

beforeAll(async () => {
  installation = await install('daily', { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT });
  ({ jobs } = installation);
  const common = { accessModes: ['ReadWriteMany'], storageClassName: '' };
  await apply([
    {
      apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: VOLUME },
      spec: { ...common, capacity: { storage: '1Gi' }, hostPath: { path: FOLDER, type: 'DirectoryOrCreate' }, claimRef: { namespace: jobs, name: 'programs' } },
    },
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'programs', namespace: jobs }, spec: { ...common, volumeName: VOLUME, resources: { requests: { storage: '1Gi' } } } },
  ]);
  await waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available');
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await installation?.remove();
  await kubectl(['delete', 'pv', VOLUME, '--ignore-not-found', '--wait=false']);
});

/**
 * Changes the permissions of the node's folder: for such volumes, Kubernetes does not set the
 * group.
 */
async function asRoot(name: string, command: string): Promise<void> {
  await apply({
    apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: jobs },
    spec: {
      restartPolicy: 'Never', volumes: [{ name: 'folder', persistentVolumeClaim: { claimName: 'programs' } }],
      containers: [{ name: 'shell', image, command: ['sh', '-c', command], securityContext: { runAsUser: 0 }, volumeMounts: [{ name: 'folder', mountPath: '/folder' }] }],
    },
  });
  await waitFor(jobs, `pod/${name}`, 'jsonpath={.status.phase}=Succeeded', SPARK_TIME);
}

const PROGRAM = `
import sys
from pyspark import SparkFiles
from pyspark.sql import SparkSession
import counting

spark = SparkSession.builder.getOrCreate()
with open(SparkFiles.get("the words.txt")) as file:
    words = file.read().split()
print("words:", spark.sparkContext.parallelize(words, 2).map(counting.length).sum(), file=sys.stdout)
spark.stop()
`;

test('uploads a local program, a module and a file to a volume', async () => {
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return name;
  };
  const application = (name: string) => JSON.stringify({
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name, namespace: jobs },
    spec: {
      type: 'Python', sparkVersion: '4.1.1', image, fastStart: FAST_START,
      mainApplicationFile: file('my words.py', PROGRAM),
      deps: { pyFiles: [file('counting.py', 'def length(word):\n    return len(word)\n')], files: [file('the words.txt', 'the best of both worlds\n')] },
      driver: { ...small, serviceAccount: 'spark' },
      executor: small,
    },
  });
  const args = ['create', '-', '--upload-to=pvc://programs/e2e', '-n', jobs];
  const uploadPods = () => list(jobs, 'pods', 'app.kubernetes.io/managed-by=sparkctl');

  await asRoot('closed', 'rm -rf /folder/* && chmod 0755 /folder');
  const refused = await runSparkctl(args, { input: application('refused'), cwd: folder });
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/my words\.py could not be written to the volume of programs: .*Permission denied; .*set spec\.driver\.podSecurityContext\.fsGroup .*, or for a volume that ignores it, such as hostPath or NFS, the permissions of its folder\n$/) });
  expect([await list(jobs, 'sparkapplications'), await uploadPods()]).toEqual([[], []]);

  await asRoot('open', 'chmod 0777 /folder');
  const { code, stdout, stderr } = await runSparkctl([...args, '--wait', '--timeout=240s'], { input: application('words'), cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^my words\.py uploaded .*local:\/\/\/opt\/sparkctl\/programs\/e2e\/[0-9a-f]{32}\/my%20words\.py\n[^]*✓ SparkApplication .*\/words is COMPLETED after /m) });
  expect(stdout).toBe(`SparkApplication ${jobs}/words created\n`);
  expect(await kubectl(['logs', 'words-driver', '-n', jobs])).toMatch(/^words: 19$/m);
  expect((await get(jobs, 'sparkapplication', 'words')).spec.executor.volumeMounts).toEqual([{ name: 'sparkctl-uploads', mountPath: '/opt/sparkctl/programs', readOnly: true }]);
  // The upload pod has been deleted.
  expect(await uploadPods()).toEqual([]);

  const again = await runSparkctl([...args, '--override=suspend=true'], { input: application('words-again'), cwd: folder });
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('my words.py already exists') });
});

describe('sparkctl submit: real Spark runs an uploaded program, whose exit code it returns', () => {
  const program = `
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
print("arguments:", sys.argv[1:], "sum:", spark.range(10).selectExpr("sum(id)").first()[0])
spark.stop()
sys.exit(int(sys.argv[1]))
`;
  beforeAll(() => writeFileSync(join(folder, 'my job.py'), program));

  /** Submits the program, with settings as in a script with spark-submit. */
  async function submit(name: string, code: number, { conf = {}, options = [], environment = {} }: {
    readonly conf?: Readonly<Record<string, string>>; readonly options?: readonly string[]; readonly environment?: Readonly<Record<string, string>>;
  }) {
    const { 'spark.driver.extraJavaOptions': javaOptions, ...executors } = QUICK_PROPERTIES;
    const confs = {
      'spark.kubernetes.namespace': jobs, 'spark.kubernetes.authenticate.driver.serviceAccountName': 'spark', 'spark.kubernetes.driver.request.cores': '100m', 'spark.kubernetes.executor.request.cores': '100m',
      ...executors, ...conf,
    };
    const result = await runSparkctl([
      'submit', '--deploy-mode', 'cluster', '--application', name, '--spark-version', '4.1.1', '--timeout', '240s', '--driver-memory', '512m', '--executor-memory', '512m', '--num-executors=1',
      '--driver-java-options', javaOptions, ...Object.entries(confs).flatMap(([key, value]) => ['--conf', `${key}=${value}`]), ...options, 'my job.py', String(code), '--name',
    ], { cwd: folder, environment });
    expect(result).toMatchObject({ code, stdout: `SparkApplication ${jobs}/${name} created\n` });
    expect(await kubectl(['logs', `${name}-driver`, '-n', jobs])).toContain(`arguments: ['${code}', '--name'] sum: 45`);
  }

  test('from a volume', async () => {
    await asRoot('open-again', 'chmod 0777 /folder');
    await submit('from-volume', 7, { conf: { 'spark.kubernetes.container.image': image }, options: ['--upload-to=pvc://programs/submit'] });
  });

  // Pods do not reach servers beside the tests in a cluster of the user's own.
  const onOwnCluster = process.env.TEST_CONTEXT ? test.skip : test;

  onOwnCluster('from S3', async () => {
    const s3 = await S3Server.start(process.env.S3_SERVER, NODE_ADDRESS);
    try {
      const bucket = s3.bucket('jobs');
      await bucket.send({ method: 'PUT', key: '' });
      bucket.close();
      await apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's3', namespace: jobs }, stringData: { id: KEYS.accessKeyId, key: KEYS.secretAccessKey } });
      const keys = Object.fromEntries(['driver', 'executor'].flatMap((role) => [
        [`spark.kubernetes.${role}.secretKeyRef.AWS_ACCESS_KEY_ID`, 's3:id'], [`spark.kubernetes.${role}.secretKeyRef.AWS_SECRET_ACCESS_KEY`, 's3:key'],
      ]));
      await submit('from-s3', 0, {
        conf: {
          ...keys, 'spark.kubernetes.container.image': process.env.SPARK_STORES_IMAGE!, 'spark.kubernetes.file.upload.path': 's3a://jobs/programs',
          'spark.hadoop.fs.s3a.endpoint': s3.endpoint, 'spark.hadoop.fs.s3a.endpoint.region': 'us-east-1', 'spark.hadoop.fs.s3a.path.style.access': 'true',
        },
        environment: { AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey, AWS_ENDPOINT_URL: s3.endpoint },
      });
    } finally {
      await s3.stop();
    }
  });

  onOwnCluster('from Google Cloud Storage', async () => {
    const gcs = await GcsServer.start(process.env.GCS_SERVER, undefined, NODE_ADDRESS);
    try {
      await gcs.createBucket('jobs');
      await submit('from-gcs', 3, {
        conf: {
          'spark.kubernetes.container.image': process.env.SPARK_STORES_IMAGE!, 'spark.hadoop.fs.gs.storage.root.url': `${gcs.endpoint}/`, 'spark.hadoop.fs.gs.project.id': 'test',
          'spark.hadoop.fs.gs.auth.null.enable': 'true', 'spark.hadoop.fs.gs.auth.service.account.enable': 'false',
        },
        options: ['--upload-to=gs://jobs/programs'], environment: { STORAGE_EMULATOR_HOST: gcs.endpoint },
      });
    } finally {
      await gcs.stop();
    }
  });
});

/** Typical manifest. */
const manifest = (name: string, driverMemory: string) => `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: ${name}
spec:
  type: Python
  sparkVersion: 4.1.1
  image: ${image}
  fastStart: ${FAST_START}
  mainApplicationFile: local:///opt/spark/applications/pi.py
  arguments: ["30"]
  driver:
    serviceAccount: spark
    coreRequest: 100m
    memory: ${driverMemory}
    javaOptions: ${small.javaOptions}
  executor:
    instances: 2
    coreRequest: 100m
    memory: 512m
    javaOptions: ${small.javaOptions}
`.trimStart();

test('records a terminal session', async () => {
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'pi.yaml'), manifest('pi', '512m'));
  writeFileSync(join(home, 'etl.yaml'), manifest('etl', '640.5g'));
  const columns = 100;
  const session = await TerminalSession.start(home, jobs, columns);

  const ended = await session.run('sparkctl create pi.yaml --wait');
  expect(ended.code).toBe(0);
  expect(ended.output).toContain('\x1b[32mRUNNING\x1b[39m');
  expect(ended.output).toContain('2/2 executors');
  expect(ended.output).toMatch(/✓\x1b\[39m SparkApplication daily-jobs\/pi is COMPLETED after [\dhms]+\r\n$/);
  expect(await session.run('sparkctl log pi | grep "Pi is"')).toEqual({ code: 0, output: expect.stringMatching(/^Pi is roughly 3\.1\d+\r\n$/) });

  const refused = await session.run('sparkctl create etl.yaml');
  expect(refused).toEqual({ code: 1, output: expect.stringMatching(/^etl\.yaml:\d+:\d+: .*spec\.driver\.memory = "640\.5g" must be a whole number and\s+a unit/) });
  expect(await session.run('sparkctl create etl.yaml --override=driver.memory=640g')).toEqual({ code: 0, output: expect.stringContaining('etl created') });
  await waitForState(jobs, 'etl', 'SUBMITTED', SPARK_TIME);
  await waitFor(jobs, 'pod/etl-driver', 'condition=PodScheduled=False', SPARK_TIME);
  const { output } = await session.run('sparkctl status etl');
  const status = output.replace(/\r?\n {2,}/g, ' '); // Long values continue in their column.
  expect(status).toMatch(/^Why: +The driver has waited .*(?:Insufficient|no node has enough) memory/m);
  expect(status).toMatch(/^To do: .*ask for less in spec\.driver, or give the cluster (larger|more) nodes: the driver asks for 0\.1 CPUs and \d+Gi/m);
  const { output: listed } = await session.run('sparkctl list');
  expect(listed).toMatch(/^pi +\x1b\[2mCOMPLETED[^]*^etl +\x1b\[33mSUBMITTED \((?:Unschedulable|no node has enough memory)\)/m);

  const frames = framesOf(played(session.steps, { speed: 4 }), columns);
  const svg = svgOf(frames, { columns, title: 'sparkctl creates an application and waits for it, refuses one whose manifest is wrong, and says why another one waits' });
  const texts = frames.map(({ picture }) => picture.flat().map(({ text }) => text).join('\n'));
  for (const text of ['RUNNING', '2/2 executors', 'COMPLETED', 'Pi is roughly 3.1', 'ask for less in spec.driver']) expect(texts.some((seen) => seen.includes(text))).toBe(true);
  expect(svg.length).toBeLessThan(150 * 1024);
  console.log(`the recording has ${frames.length} frames, ${(frames.at(-1)!.at / 1_000).toFixed(1)} s and ${(svg.length / 1024).toFixed(1)} KiB`);
  const pictures = join(root, 'test-reports/images');
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, 'sparkctl.svg'), svg);
  if (process.env.UPDATE_IMAGES === '1') copyFileSync(join(pictures, 'sparkctl.svg'), join(root, 'docs/images/sparkctl.svg'));
});
