import { resolve } from 'node:path';
import { buildImage as build } from '../index.ts';
import type { Progress } from '../progress.ts';

export interface BuildImageCommand {
  readonly name: string;
  readonly tag: string;
  readonly file: string;
  readonly buildArgs: Readonly<Record<string, string>>;
  readonly target?: string;
  readonly context: string;
  readonly progress: Progress;
}

export async function buildImage(command: BuildImageCommand): Promise<void> {
  const { digest, loaded } = await build({ ...command, context: resolve(command.context), file: resolve(command.file) });
  console.log(`${command.tag} ${digest} ${loaded ? 'is now in' : 'was already in'} the cluster ${command.name}`);
}
