import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { obtainPart, type Progress } from '../../local-cluster/index.ts';
import { capture, run } from '../../local-cluster/run.ts';
import { sparkJars } from '../../real-spark/parts.ts';
import { inParallel } from '../api-client.ts';
import type { Context } from '../context.ts';
import { median } from '../figures.ts';

/** Version of spark-submit. */
export const SPARK_VERSION = '4.1.1';

/** As long as the other namespaces; without an operator. */
const NAMESPACE = 'bench-java';
/** Service account of spark-submit. */
const SUBMITTER = 'submitter';
/** Seconds for one submission. */
const MAX_SECONDS = 120;

/** Options that bin/spark-class gives to each JVM (org.apache.spark.launcher.JavaModuleOptions); Spark needs them. */
const MODULE_OPTIONS = ['lang', 'lang.invoke', 'lang.reflect', 'io', 'net', 'nio', 'util', 'util.concurrent']
  .map((name) => `--add-opens=java.base/java.${name}=ALL-UNNAMED`).concat('--add-opens=java.base/sun.nio.ch=ALL-UNNAMED');

/**
 * Fetches the jars of Spark once, outside of the cluster's network, and returns their folder.
 *
 * @throws ToolError when there is no Java to run them
 */
export async function obtainSpark(install: boolean, progress: Progress): Promise<string> {
  await run('java', ['-version'], { purpose: 'find a java to run spark-submit with', hint: 'Install a JDK 17 or newer.' });
  return join(await obtainPart(sparkJars(SPARK_VERSION), { install, progress }), 'jars');
}

/**
 * Measures submissions by Spark itself, as operators make them that start spark-submit: a JVM with default
 * options for each, as many at the same time as there are processors. The launcher of bin/spark-submit is left
 * out, and no status is written, both in favour of spark-submit.
 */
export async function measureSparkSubmit(context: Context, runs: number): Promise<{ readonly rate: number; readonly cpu: number }> {
  const parallel = availableParallelism();
  const files = await prepare(context);
  context.progress(`warming up SparkSubmit ${SPARK_VERSION}`); // the first one reads the jars from the disk
  await submit(context, files);

  context.progress(`${runs} submissions by SparkSubmit ${SPARK_VERSION}, ${parallel} at the same time`);
  const times: number[] = [];
  const began = performance.now();
  await inParallel(Array.from({ length: runs }), parallel, async () => void times.push(await submit(context, files)));
  const elapsed = performance.now() - began;

  const { items } = await context.admin.json('GET', `/api/v1/namespaces/${NAMESPACE}/pods`);
  if (items.length !== runs + 1) throw new Error(`spark-submit created ${items.length} drivers instead of ${runs + 1}`);
  return { rate: runs * 60_000 / elapsed, cpu: median(times) };
}

interface Files {
  readonly token: string;
  readonly ca: string;
  /** An empty folder. */
  readonly home: string;
}

/** Creates a namespace, and an account that can submit there. */
async function prepare({ admin, installation, folder }: Context): Promise<Files> {
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}`;
  const accounts = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;
  const verbs = ['create', 'get', 'patch', 'delete'];
  await admin.json('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  for (const name of [SUBMITTER, 'spark']) await admin.json('POST', accounts, { metadata: { name } });
  await admin.json('POST', `${rbac}/roles`, {
    metadata: { name: SUBMITTER }, rules: [{ apiGroups: [''], resources: ['pods', 'services', 'configmaps'], verbs }],
  });
  await admin.json('POST', `${rbac}/rolebindings`, {
    metadata: { name: SUBMITTER },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: SUBMITTER },
    subjects: [{ kind: 'ServiceAccount', name: SUBMITTER, namespace: NAMESPACE }],
  });
  const { status } = await admin.json('POST', `${accounts}/${SUBMITTER}/token`, { spec: { expirationSeconds: 3600 } });
  const files: Files = { token: join(folder, 'submitter.token'), ca: join(folder, 'ca.crt'), home: join(folder, 'submitter') };
  mkdirSync(files.home);
  writeFileSync(files.token, status.token, { mode: 0o600 });
  writeFileSync(files.ca, installation.admin.ca);
  return files;
}

/** Submits once. Returns the CPU time in milliseconds: `times` of the shell prints that of its children. */
async function submit({ task, installation: { admin: { host, port } } }: Context, files: Files): Promise<number> {
  const command = [
    'java', '-cp', join(task.jars!, '*'), ...MODULE_OPTIONS, 'org.apache.spark.deploy.SparkSubmit',
    ...submitArguments(`https://${host}:${port}`, files),
  ];
  const { code, stdout, stderr } = await capture('sh', ['-c', '"$@"; code=$?; times; exit $code', 'sh', ...command], {
    cwd: files.home,
    // Without any configuration of the user, of Spark or of kubectl.
    env: {
      PATH: process.env.PATH, HOME: files.home, LANG: 'C.UTF-8', SPARK_LOCAL_IP: '127.0.0.1',
      ...(process.env.JAVA_HOME && { JAVA_HOME: process.env.JAVA_HOME }), KUBECONFIG: '/dev/null', KUBERNETES_AUTH_TRYKUBECONFIG: 'false',
    },
    signal: AbortSignal.timeout(MAX_SECONDS * 1000),
  });
  const times = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/.exec(stdout.trim().split('\n').at(-1)!);
  if (code !== 0 || !times) throw new Error(`spark-submit ended with ${code}: ${stderr.slice(-2000)}`);
  const [, userMinutes, userSeconds, systemMinutes, systemSeconds] = times.map(Number);
  return ((userMinutes! + systemMinutes!) * 60 + userSeconds! + systemSeconds!) * 1000;
}

function submitArguments(server: string, { token, ca }: Files): string[] {
  const conf = {
    'spark.kubernetes.authenticate.submission.caCertFile': ca,
    'spark.kubernetes.authenticate.submission.oauthTokenFile': token,
    'spark.kubernetes.namespace': NAMESPACE,
    'spark.kubernetes.container.image': 'example.org/spark:4.1.1',
    'spark.kubernetes.container.image.pullPolicy': 'IfNotPresent',
    'spark.kubernetes.submission.waitAppCompletion': 'false',
    'spark.kubernetes.authenticate.driver.serviceAccountName': 'spark',
    'spark.kubernetes.driver.label.team': 'data',
    'spark.kubernetes.driver.scheduler.name': 'none',
    'spark.kubernetes.executor.label.team': 'data',
    'spark.driver.memory': '2g',
    'spark.executor.instances': '4',
    'spark.executor.cores': '2',
    'spark.executor.memory': '4g',
    'spark.sql.shuffle.partitions': '200',
    'spark.sql.adaptive.enabled': 'true',
    'spark.eventLog.enabled': 'true',
    'spark.eventLog.dir': 's3a://history/logs',
    'spark.hadoop.fs.s3a.endpoint': 'https://s3.example.org',
  };
  return [
    '--master', `k8s://${server}`, '--deploy-mode', 'cluster', '--name', 'bench',
    ...Object.entries(conf).flatMap(([key, value]) => ['--conf', `${key}=${value}`]),
    'local:///opt/spark/applications/etl.py', '--day', '2026-03-01', '--input', 's3a://raw/events', '--output', 's3a://clean/events',
  ];
}
