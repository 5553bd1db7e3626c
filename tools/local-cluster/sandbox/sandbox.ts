import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError, logTail } from '../errors.ts';
import type { ClusterPaths } from '../paths.ts';
import { run } from '../run.ts';
import type { RunOptions } from '../run.ts';
import { identify } from './identity.ts';
import type { ProcessIdentity } from './identity.ts';
import { privateMounts } from './mounts.ts';
import { findProcesses, namespaceOf } from './processes.ts';
import type { RunningProcess } from './processes.ts';

/**
 * All of a cluster's programs run in one PID namespace and one mount namespace. When its first process ends, the
 * kernel ends every other one, containers included, and takes the mounts down: nothing has to be tracked, and nothing
 * can be forgotten.
 */

const START_TIMEOUT_MS = 10_000;

/** Also the name by which the clusters of a machine are found; see `findInits`. */
export const INIT_PROGRAM = 'cluster-init';

export async function startSandbox(paths: ClusterPaths, tool: string, cache: string): Promise<ProcessIdentity> {
  const pidFile = join(paths.state, 'init.pid');
  rmSync(pidFile, { force: true });
  const logFile = join(paths.logs, 'sandbox.log');
  const log = openSync(logFile, 'a');
  const child = spawn('nsenter', [
    `--net=${paths.netnsFile}`, 'unshare', '--pid', '--fork',
    ...privateMounts(tool, join(paths.state, 'root')),
    'sh', join(tool, 'sandbox', 'init.sh'), cache, paths.state, paths.name,
  ], { detached: true, stdio: ['ignore', log, log], env: daemonEnvironment(paths), cwd: '/' });
  closeSync(log);
  let ended = false;
  child.on('error', () => { ended = true; });
  child.on('exit', () => { ended = true; });

  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!existsSync(pidFile)) {
    if (ended || Date.now() > deadline) {
      throw new ToolError(`could not set up the namespaces of the cluster\n${logTail(logFile)}`, 'They need root with all of its capabilities.');
    }
    await sleep(5);
  }
  child.unref();
  const init = identify(Number(readFileSync(pidFile, 'utf8')));
  if (!init) throw new ToolError(`the first process of the cluster ended at once\n${logTail(logFile)}`);
  return init;
}

/**
 * Environment of the cluster's programs: no proxy, no setting of the user's shell. Their garbage is collected late, as memory is cheaper than the few processors, until one of them
 * has two thirds of the memory: with 60,000 Pods the API server has more than half of it, and with less to breathe it would do little else than collect.
 */
export function daemonEnvironment(paths: ClusterPaths): NodeJS.ProcessEnv {
  return { PATH: `${paths.bin}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`, HOME: '/root', GOGC: '300', GOMEMLIMIT: String(Math.floor(totalmem() * 2 / 3)) };
}

/** The arguments of nsenter for a command inside of the sandbox. The root is entered too, in case it is a chroot. */
function enter(init: ProcessIdentity): string[] {
  return ['--target', String(init.pid), '--pid', '--mount', '--net', '--root', '--wd=/', '--'];
}

/** Starts a program that keeps running; its output is appended to the log. */
export async function startDaemon(paths: ClusterPaths, init: ProcessIdentity, name: string, command: readonly string[]): Promise<void> {
  // The shell ends at once, and its child is adopted by the first process of the namespace.
  const script = 'log=$1; shift; setsid "$@" >>"$log" 2>&1 </dev/null &';
  await run('nsenter', [...enter(init), 'sh', '-c', script, 'sh', join(paths.logs, `${name}.log`), ...command], {
    purpose: `start ${name}`, env: daemonEnvironment(paths),
  });
}

export async function runInSandbox(
  paths: ClusterPaths, init: ProcessIdentity, command: readonly string[], options: RunOptions = {},
): Promise<string> {
  return run('nsenter', [...enter(init), ...command], { env: daemonEnvironment(paths), ...options });
}

export function spawnInSandbox(paths: ClusterPaths, init: ProcessIdentity, command: readonly string[]): ChildProcess {
  return spawn('nsenter', [...enter(init), ...command], { env: daemonEnvironment(paths), stdio: 'pipe' });
}

/** The cluster's own programs, without what runs in its containers. */
export function sandboxProcesses(init: ProcessIdentity): RunningProcess[] {
  const namespace = namespaceOf(init.pid, 'pid');
  return namespace === undefined ? [] : findProcesses((pid) => namespaceOf(pid, 'pid') === namespace);
}

export interface RunningInit extends RunningProcess {
  readonly cluster: string;
  readonly state: string;
}

/** The first processes of all clusters of this machine, also of those whose state folder is gone. */
export function findInits(): RunningInit[] {
  return findProcesses(() => true)
    .filter(({ program, args }) => program === INIT_PROGRAM && args.length === 2)
    .map((init) => ({ ...init, cluster: init.args[0]!, state: init.args[1]! }));
}
