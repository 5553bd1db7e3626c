import { loadImage } from '../index.ts';
import type { Progress } from '../progress.ts';

export async function load(command: { readonly name: string; readonly archive: string; readonly progress: Progress }): Promise<void> {
  await loadImage(command.archive, command);
}
