import { loadImages } from '../index.ts';
import type { Progress } from '../progress.ts';

export async function images(command: { readonly name: string; readonly progress: Progress }): Promise<void> {
  for (const { reference, digest } of await loadImages(command)) console.log(`${reference.padEnd(40)} ${digest}`);
}
