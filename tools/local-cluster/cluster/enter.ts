import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ToolError } from '../errors.ts';
import { clusterPaths } from '../paths.ts';
import { capture } from '../run.ts';
import type { Result, RunOptions } from '../run.ts';

/** The arguments of nsenter that lead into a cluster's network; the mounts stay those of the machine. */
export function nsenterArgs(name: string): string[] {
  const paths = clusterPaths(name);
  if (!existsSync(paths.netnsFile) || !existsSync(paths.kubeconfig)) {
    const flag = name === 'local' ? '' : ` --name ${name}`;
    throw new ToolError(`the cluster ${name} is not running`, `Start it with \`npm run cluster -- up${flag}\`.`);
  }
  return [`--net=${paths.netnsFile}`];
}

/** With the cluster's kubeconfig, and its kubectl before any other. */
function execEnvironment(name: string, environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const paths = clusterPaths(name);
  return {
    ...environment, KUBECONFIG: paths.kubeconfig, PATH: `${paths.bin}:${environment.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin'}`,
    // kubectl keeps what it has discovered by the server's address, which all clusters share.
    KUBECACHEDIR: paths.kubectlCache,
  };
}

/** Starts a command in the cluster's network, with its kubectl and its KUBECONFIG. */
export function spawnIn(name: string, argv: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn('nsenter', [...nsenterArgs(name), '--', ...argv], { ...options, env: execEnvironment(name, options.env) });
}

/** Runs the cluster's kubectl to its end, whatever its exit code. */
export async function captureKubectl(name: string, args: readonly string[], options: Pick<RunOptions, 'input' | 'signal'> = {}): Promise<Result> {
  return await capture('nsenter', [...nsenterArgs(name), '--', 'kubectl', ...args], { ...options, env: execEnvironment(name) });
}
