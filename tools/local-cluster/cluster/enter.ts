import { existsSync } from 'node:fs';
import { ToolError } from '../errors.ts';
import { clusterPaths } from '../paths.ts';

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
export function execEnvironment(name: string, environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const paths = clusterPaths(name);
  return { ...environment, KUBECONFIG: paths.kubeconfig, PATH: `${paths.bin}:${environment.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin'}` };
}
