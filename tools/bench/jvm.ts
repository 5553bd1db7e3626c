import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { neededFor, obtain } from '../local-cluster/build/parts.ts';
import type { Progress } from '../local-cluster/index.ts';
import { cacheFolder } from '../local-cluster/paths.ts';
import { ensure } from '../local-cluster/requirements.ts';
import { capture, run } from '../local-cluster/run.ts';
import { sparkJars } from '../real-spark/parts.ts';
import { inParallel, type ApiAccess, type ApiClient } from './api-client.ts';
import type { JvmFigures } from './measurements.ts';

/** Of spark-submit. */
export const SPARK_VERSION = '4.1.1';

/** Of the same length as those of what is measured beside, see NAMESPACES. No operator looks at it. */
const NAMESPACE = 'bench-java';
/** Whom spark-submit acts as. */
const SUBMITTER = 'submitter';
/** One submission takes no longer. */
const MAX_RUN_SECONDS = 120;

/** What bin/spark-class gives to each JVM of Spark (org.apache.spark.launcher.JavaModuleOptions); Spark does not start without. */
const MODULE_OPTIONS = ['lang', 'lang.invoke', 'lang.reflect', 'io', 'net', 'nio', 'util', 'util.concurrent']
  .map((name) => `--add-opens=java.base/java.${name}=ALL-UNNAMED`).concat('--add-opens=java.base/sun.nio.ch=ALL-UNNAMED');

/**
 * Fetches Spark's jars, once. To be called outside of the cluster's network, from where there is no way to a registry.
 *
 * @returns their folder
 * @throws ToolError when there is no Java to run them
 */
export async function obtainSpark(install: boolean, progress: Progress): Promise<string> {
  await run('java', ['-version'], { purpose: 'find a java to run spark-submit with', hint: 'Install a JDK 17 or newer, or leave spark-submit out of bench:submission with --no-jvm.' });
  const cache = cacheFolder();
  const part = sparkJars(SPARK_VERSION);
  await ensure(neededFor(cache, [part]), install, progress);
  return join(await obtain(cache, part, progress), 'jars');
}

export interface JvmSetting {
  /** The API server, as an administrator. */
  readonly access: ApiAccess;
  readonly admin: ApiClient;
  /** Of Spark, from `obtainSpark`. */
  readonly jars: string;
  /** How many submissions count. */
  readonly runs: number;
  /** For files that nobody needs afterwards. */
  readonly folder: string;
  readonly progress: (text: string) => void;
}

/**
 * Measures submissions by Spark itself, as operators make them that start spark-submit: a JVM with its default options for each, without an archive of
 * classes, as many at the same time as there are processors, against the same API server. What is submitted is like the application of the native submission. The launcher, a
 * shell and a JVM more, that bin/spark-submit starts first is left out, which is in favour of spark-submit; so is that nobody writes a status.
 */
export async function measureJvm(setting: JvmSetting): Promise<JvmFigures> {
  const { admin, runs: count, progress } = setting;
  const parallel = availableParallelism();
  const files = await prepare(setting);
  progress(`warming up SparkSubmit ${SPARK_VERSION}`); // the first one reads the jars from the disk
  await submit(setting, files);

  progress(`${count} submissions by SparkSubmit ${SPARK_VERSION}, ${parallel} at the same time`);
  const runs: Run[] = [];
  const began = performance.now();
  await inParallel(Array.from({ length: count }), parallel, async () => void runs.push(await submit(setting, files)));
  const elapsed = performance.now() - began;

  const { items } = await admin.json('GET', `/api/v1/namespaces/${NAMESPACE}/pods`);
  if (items.length !== count + 1) throw new Error(`spark-submit created ${items.length} drivers instead of ${count + 1}`);
  return { sparkVersion: SPARK_VERSION, parallel, perSecond: count * 1000 / elapsed, runs: runs.map(({ cpu }) => cpu), wholes: runs.map(({ whole }) => whole) };
}

interface Files {
  readonly token: string;
  readonly ca: string;
  /** An empty folder. */
  readonly home: string;
}

/** A namespace and somebody who may submit there. */
async function prepare({ admin, access, folder }: JvmSetting): Promise<Files> {
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}`;
  const accounts = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;
  await admin.json('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  for (const name of [SUBMITTER, 'spark']) await admin.json('POST', accounts, { metadata: { name } });
  await admin.json('POST', `${rbac}/roles`, {
    metadata: { name: SUBMITTER }, rules: [{ apiGroups: [''], resources: ['pods', 'services', 'configmaps'], verbs: ['create', 'get', 'patch', 'delete'] }],
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
  writeFileSync(files.ca, access.ca);
  return files;
}

/** Both in milliseconds. */
interface Run {
  readonly cpu: number;
  readonly whole: number;
}

/** The shell's `times` tells the CPU time of the children that it has waited for. */
async function submit({ jars, access: { host, port } }: JvmSetting, files: Files): Promise<Run> {
  const command = ['java', '-cp', join(jars, '*'), ...MODULE_OPTIONS, 'org.apache.spark.deploy.SparkSubmit', ...submitArguments(`https://${host}:${port}`, files)];
  const began = performance.now();
  const { code, stdout, stderr } = await capture('sh', ['-c', '"$@"; code=$?; times; exit $code', 'sh', ...command], {
    cwd: files.home,
    // No configuration of the user, of Spark or of kubectl, must matter.
    env: {
      PATH: process.env.PATH, HOME: files.home, LANG: 'C.UTF-8', SPARK_LOCAL_IP: '127.0.0.1',
      ...(process.env.JAVA_HOME && { JAVA_HOME: process.env.JAVA_HOME }), KUBECONFIG: '/dev/null', KUBERNETES_AUTH_TRYKUBECONFIG: 'false',
    },
    signal: AbortSignal.timeout(MAX_RUN_SECONDS * 1000),
  });
  const whole = performance.now() - began;
  const times = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/.exec(stdout.trim().split('\n').at(-1)!);
  if (code !== 0 || !times) throw new Error(`spark-submit ended with ${code}: ${stderr.slice(-2000)}`);
  const [, userMinutes, userSeconds, systemMinutes, systemSeconds] = times.map(Number);
  return { cpu: ((userMinutes! + systemMinutes!) * 60 + userSeconds! + systemSeconds!) * 1000, whole };
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
