import type { CommandOf } from '../cli.ts';
import { up as bringUp } from '../index.ts';
import type { Progress } from '../progress.ts';

export async function up(command: CommandOf<'up'> & { readonly progress: Progress }): Promise<void> {
  const status = await bringUp(command);
  const kind = status.controlPlaneOnly ? 'control plane' : 'cluster';
  const name = command.name === 'local' ? '' : ` --name ${command.name}`;
  console.log(`The ${kind} ${command.name} is ready: npm run cluster -- exec${name} kubectl get ${status.controlPlaneOnly ? 'namespaces' : 'pods -A'}`);
}
