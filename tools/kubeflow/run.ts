import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { spawnIn, ToolError } from '../local-cluster/index.ts';
import { GO_ENVIRONMENT } from '../local-cluster/build/programs.ts';
import { logTail } from '../local-cluster/errors.ts';
import { run } from '../local-cluster/run.ts';
import { SUITE_FOLDER } from './checkout.ts';
import type { SuiteReport } from './report.ts';

/** Time for all specifications. Ginkgo's default is an hour. */
const TIMEOUT = '2h';

/** Follows the operator's log from its start, and again if the suite replaces the pod. */
const FOLLOW_LOG = 'while true; do kubectl logs --follow --namespace=spark-operator deployment/spark-operator-controller 2>/dev/null; sleep 1; done';

/** Files of a run. */
export interface RunFiles {
  /** Ginkgo's report. */
  readonly report: string;
  /** Output of the suite. */
  readonly log: string;
  readonly operatorLog: string;
}

/** Compiles the suite of a copy, outside of the cluster, from which no module proxy is reachable. Returns the program. */
export async function compileSuite(copy: string, log: string): Promise<string> {
  const [folder, program] = [join(copy, SUITE_FOLDER), join(copy, 'suite')];
  // With -trimpath, the cache of Go serves the next copy, too.
  await run('go', ['test', '-c', '-mod=readonly', '-buildvcs=false', '-trimpath', '-o', program, '.'], {
    cwd: folder,
    env: { ...process.env, ...GO_ENVIRONMENT },
    log,
    purpose: "compile kubeflow's suite",
    hint: 'Go needs access to a module proxy (see `go env GOPROXY`) for what is not in its cache yet.',
  });
  return program;
}

/**
 * Runs the suite in the network of a cluster.
 *
 * @param focus of the specifications; all of them by default
 * @param remember receives each process that is started
 */
export async function runSuite(
  cluster: string, copy: string, program: string, focus: string | undefined, files: RunFiles, remember: (child: ChildProcess) => void,
): Promise<readonly SuiteReport[]> {
  rmSync(files.report, { force: true });
  // Helm keeps what a server supports by its address, which all local clusters share.
  const env = { ...process.env, KUBECACHEDIR: join(copy, 'kube-cache') };
  rmSync(env.KUBECACHEDIR, { recursive: true, force: true });
  const start = (argv: readonly string[], log: string) => {
    const output = openSync(log, 'w');
    // A group of its own: a shell would leave its children behind.
    const child = spawnIn(cluster, argv, { cwd: join(copy, SUITE_FOLDER), env, stdio: ['ignore', output, output], detached: true });
    closeSync(output);
    remember(child);
    return child;
  };
  const follower = start(['sh', '-c', FOLLOW_LOG], files.operatorLog);
  try {
    await once(start([
      program, '-ginkgo.v', '-ginkgo.no-color', `-ginkgo.timeout=${TIMEOUT}`, `-ginkgo.json-report=${files.report}`,
      ...focus === undefined ? [] : [`-ginkgo.focus=${focus}`],
    ], files.log), 'exit');
  } finally {
    killGroup(follower);
  }
  if (!existsSync(files.report)) throw new ToolError(`the suite ended without a report\n${logTail(files.log)}`);
  return JSON.parse(readFileSync(files.report, 'utf8'));
}

/** Ends a process that leads a group, with its children. */
export function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM');
}
