import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { obtain } from '../local-cluster/build/parts.ts';
import { ToolError } from '../local-cluster/errors.ts';
import { cacheFolder } from '../local-cluster/paths.ts';
import type { Progress } from '../local-cluster/progress.ts';
import { run } from '../local-cluster/run.ts';
import type { Case } from './case.ts';
import { mavenJars, sparkHome } from './parts.ts';

/** How much of its end a recorded log keeps, in bytes. */
const TAIL_BYTES = 24 * 1024;
/** Longest run of a driver. */
const MAX_SECONDS = 1200;
const WORK_DIR = '/opt/spark/work-dir';
const SCALA_COMPILER = ['scala-compiler', 'scala-reflect', 'scala-library'].map((name) => `org.scala-lang:${name}:2.13.16`);

/** Exit code and log of a driver. */
export interface Recording {
  readonly exitCode: number;
  /** The end of its output, from the beginning of a line unless one line is longer. */
  readonly log: string;
}

/** Runs the driver of a case to its end. */
export async function record(test: Case, progress: Progress): Promise<Recording> {
  const cache = cacheFolder();
  const home = join(await obtain(cache, sparkHome(test.spark), progress), 'root/opt/spark');
  const job = mkdtempSync(join(tmpdir(), 'driver-log-'));
  try {
    for (const folder of ['work', 'jars']) mkdirSync(join(job, folder));
    if (test.jars) cpSync(await obtain(cache, mavenJars(test.jars), progress), join(job, 'jars'), { recursive: true });
    for (const file of test.files ?? []) copyFileSync(programFile(file), join(job, 'work', basename(file)));
    const builtFor = test.builtFor ? join(await obtain(cache, sparkHome(test.builtFor), progress), 'root/opt/spark') : home;
    const resource = test.resource ?? await prepareProgram(test, builtFor, job, progress);
    writeFileSync(join(job, 'spark.properties'), Object.entries(properties(test)).map(([key, value]) => `${key}=${value}\n`).join(''));
    writeFileSync(join(job, 'arguments'), [
      'driver', '--properties-file', '/opt/spark/conf/spark.properties', '--class', mainClass(test), resource, ...programArguments(test), '',
    ].join('\n'));
    writeFileSync(join(job, 'environment'), Object.entries(test.environment ?? {}).map(([name, value]) => `${name}=${value}\n`).join(''));
    if (test.setup) writeFileSync(join(job, 'setup.sh'), test.setup);
    if (test.signal) writeFileSync(join(job, 'signal'), `${test.signal.name}\n${test.signal.after}\n`);
    const exitCode = await runContainer(home, job);
    return { exitCode, log: tail(readFileSync(join(job, 'log'))) };
  } finally {
    rmSync(job, { recursive: true, force: true });
  }
}

function programFile(path: string): string {
  return join(import.meta.dirname, 'programs', path);
}

/** Puts the program into the working folder, compiled if it has to be. @returns its URL in the container */
async function prepareProgram({ program }: Case, home: string, job: string, progress: Progress): Promise<string> {
  const extension = extname(program);
  if (extension !== '.java' && extension !== '.scala') {
    copyFileSync(programFile(program), join(job, 'work', basename(program)));
    return extension === '.sql' ? 'spark-internal' : `local://${WORK_DIR}/${basename(program)}`;
  }
  const classes = join(job, 'classes');
  mkdirSync(classes);
  if (extension === '.java') {
    await run('javac', ['-nowarn', '-proc:none', '-classpath', join(home, 'jars/*'), '--release', '17', '-d', classes, programFile(program)], { purpose: `compile ${program}` });
  } else {
    const compiler = await obtain(cacheFolder(), mavenJars(SCALA_COMPILER), progress);
    const jars = readdirSync(join(home, 'jars')).filter((name) => name.endsWith('.jar')).map((name) => join(home, 'jars', name));
    await run('java', ['-cp', join(compiler, '*'), 'scala.tools.nsc.Main', '-nowarn', '-classpath', jars.join(':'), '-d', classes, programFile(program)], {
      purpose: `compile ${program}`,
    });
  }
  const jar = `${basename(program, extension).replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()}.jar`;
  await run('jar', ['--create', '--file', join(job, 'work', jar), '-C', classes, '.'], { purpose: `pack ${jar}` });
  return `local://${WORK_DIR}/${jar}`;
}

function mainClass({ program, mainClass: own }: Case): string {
  const classes: Record<string, string> = {
    '.py': 'org.apache.spark.deploy.PythonRunner', '.R': 'org.apache.spark.deploy.RRunner', '.sql': 'org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver',
  };
  const extension = extname(program);
  return own ?? classes[extension] ?? `com.example.${basename(program, extension)}`;
}

function programArguments({ program, args }: Case): readonly string[] {
  return args ?? (extname(program) === '.sql' ? ['-f', `${WORK_DIR}/${basename(program)}`] : []);
}

/** The properties of a driver pod, as far as they matter outside of a cluster. */
function properties({ conf }: Case): Record<string, string> {
  return {
    'spark.app.name': 'daily-report',
    'spark.app.id': 'spark-1f4a7c0e6d9b4a55',
    'spark.master': 'local[2]',
    'spark.driver.host': 'daily-report-driver-svc.jobs.svc',
    'spark.driver.port': '7078',
    'spark.driver.blockManager.port': '7079',
    'spark.driver.memory': '768m',
    ...conf,
  };
}

/** @returns the exit code of the driver */
async function runContainer(home: string, job: string): Promise<number> {
  const container = join(import.meta.dirname, 'container.sh');
  const child = spawn('unshare', [
    '--mount', '--net', '--uts', '--pid', '--fork', '--mount-proc', '--kill-child', 'bash', container, home, job, process.execPath,
  ], { stdio: ['ignore', 'inherit', 'inherit'] });
  const kill = () => child.kill('SIGKILL'); // and with it all processes of its namespace
  const timer = setTimeout(kill, MAX_SECONDS * 1000);
  process.on('exit', kill);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  process.off('exit', kill);
  clearTimeout(timer);
  if (code === null) throw new ToolError(`the driver did not end within ${MAX_SECONDS} s`);
  return code;
}

function tail(log: Buffer): string {
  const end = log.subarray(Math.max(0, log.length - TAIL_BYTES));
  return redacted(end.toString().replace(/^\uFFFD+/, ''));
}

/** Without what identifies the machine that records: the version of its kernel. */
function redacted(log: string): string {
  return log.replace(/(?<=OS info Linux, )[^,\s]+/g, '6.1.0-28-amd64');
}
