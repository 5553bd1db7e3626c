import type { CommandOf } from '../cli.ts';
import { forward as open } from '../index.ts';

export async function forward(command: CommandOf<'forward'>): Promise<number> {
  const { namespace, resource, port } = command.target;
  const { localPort, close } = await open(command.name, command.localPort, command.target);
  console.log(`http://127.0.0.1:${localPort} leads to port ${port} of ${namespace}/${resource}, until you press Ctrl-C.`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  close();
  return 0;
}
