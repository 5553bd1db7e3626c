import { readdirSync } from 'node:fs';
import type { CommandOf } from '../cli.ts';
import { down as takeDown } from '../index.ts';
import { cacheFolder, clustersFolder } from '../paths.ts';
import type { Progress } from '../progress.ts';
import { findInits } from '../sandbox/sandbox.ts';

export async function down(command: CommandOf<'down'> & { readonly progress: Progress }): Promise<void> {
  const names = command.all ? allClusters() : [command.name];
  if (names.length === 0) console.log('There is no cluster.');
  for (const name of names) {
    const { found } = await takeDown({ name, progress: command.progress });
    console.log(found
      ? `The cluster ${name} is removed. Nothing is left of it: no process, mount, network namespace, cgroup or file.`
      : `There is no cluster ${name}, nor anything left of one.`);
  }
}

/** Those with a state folder here, and those that run without one. */
function allClusters(): string[] {
  const folder = clustersFolder(cacheFolder());
  let stored: string[] = [];
  try {
    stored = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch {
    // no cluster was ever started here
  }
  const running = findInits().filter(({ state, cluster }) => state === `${folder}/${cluster}`).map(({ cluster }) => cluster);
  return [...new Set([...stored, ...running])].sort();
}
