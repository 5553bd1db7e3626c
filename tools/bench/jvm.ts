import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { neededFor, obtain } from '../local-cluster/build/parts.ts';
import { ToolError, type Progress } from '../local-cluster/index.ts';
import { cacheFolder } from '../local-cluster/paths.ts';
import { ensure } from '../local-cluster/requirements.ts';
import { capture } from '../local-cluster/run.ts';
import { CaptureServer } from '../real-spark/capture-server.ts';
import { sparkJars } from '../real-spark/parts.ts';
import type { JvmFigures } from './measurements.ts';

const SPARK_VERSION = '4.1.1';
const RUNS = 4;

/** What bin/spark-class gives to each JVM of Spark (org.apache.spark.launcher.JavaModuleOptions); Spark does not start without. */
const MODULE_OPTIONS = ['lang', 'lang.invoke', 'lang.reflect', 'io', 'net', 'nio', 'util', 'util.concurrent']
  .map((name) => `--add-opens=java.base/java.${name}=ALL-UNNAMED`).concat('--add-opens=java.base/sun.nio.ch=ALL-UNNAMED');

/**
 * Measures submissions by Spark itself, as operators make them that start spark-submit: a JVM with its default options for each, here without TLS and
 * without the launcher that bin/spark-submit starts first, both of which would add to it. What it submits is like the application of the native submission.
 *
 * @throws ToolError when there is no Java
 */
export async function measureJvm(install: boolean, progress: Progress): Promise<JvmFigures> {
  const cache = cacheFolder();
  const part = sparkJars(SPARK_VERSION);
  await ensure(neededFor(cache, [part]), install, progress);
  const jars = join(await obtain(cache, part, progress), 'jars');
  const folder = mkdtempSync(join(tmpdir(), 'bench-jvm-'));
  const server = await CaptureServer.start();
  try {
    const runs: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      runs.push(await progress.step(`run ${run + 1} of ${RUNS} of SparkSubmit ${SPARK_VERSION}`, () => submit(jars, server.url, folder)));
      const created = server.take().filter(({ method }) => method === 'POST' || method === 'PATCH');
      if (!created.some(({ url }) => /\/pods(\?|$)/.test(url))) throw new Error('spark-submit did not create a driver');
    }
    // The first one reads the jars from the disk.
    return { sparkVersion: SPARK_VERSION, runs: runs.slice(1) };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns CPU time in milliseconds: the shell's `times` tells that of the children that it has waited for */
async function submit(jars: string, server: string, folder: string): Promise<number> {
  const command = ['java', '-cp', join(jars, '*'), ...MODULE_OPTIONS, 'org.apache.spark.deploy.SparkSubmit', ...submitArguments(server)];
  const { code, stdout, stderr } = await capture('sh', ['-c', '"$@"; code=$?; times; exit $code', 'sh', ...command], {
    cwd: folder,
    // No configuration of the user, of Spark or of kubectl, must matter.
    env: {
      PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', SPARK_LOCAL_IP: '127.0.0.1',
      ...(process.env.JAVA_HOME && { JAVA_HOME: process.env.JAVA_HOME }), KUBECONFIG: '/dev/null', KUBERNETES_AUTH_TRYKUBECONFIG: 'false',
    },
    signal: AbortSignal.timeout(120_000),
  });
  if (code === 127) throw new ToolError('there is no java to run spark-submit with', 'Install a JDK 17 or newer, or leave this out with --no-jvm.');
  const times = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/.exec(stdout.trim().split('\n').at(-1)!);
  if (code !== 0 || !times) throw new Error(`spark-submit ended with ${code}: ${stderr.slice(-2000)}`);
  const [, userMinutes, userSeconds, systemMinutes, systemSeconds] = times.map(Number);
  return ((userMinutes! + systemMinutes!) * 60 + userSeconds! + systemSeconds!) * 1000;
}

function submitArguments(server: string): string[] {
  const conf = {
    'spark.kubernetes.namespace': 'bench-live',
    'spark.kubernetes.container.image': 'example.org/spark:4.1.1',
    'spark.kubernetes.container.image.pullPolicy': 'IfNotPresent',
    'spark.kubernetes.submission.waitAppCompletion': 'false',
    'spark.kubernetes.authenticate.driver.serviceAccountName': 'spark',
    'spark.kubernetes.driver.label.team': 'data',
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
