import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of the packages whose files are in a bundle, as their authors ask for. `inputs` are paths relative to `root`. */
export function licensesOf(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  const sections = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const [file] = globSync('{LICENSE,LICENCE,license,licence}*', { cwd: join(root, folder) }).sort();
    const text = file && existsSync(join(root, folder, file)) ? readFileSync(join(root, folder, file), 'utf8').trim() : `Licence: ${license}`;
    return `${name} ${version} (${license})\n\n${text}`;
  });
  return `The programs in this folder contain the following packages.\n\n${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
