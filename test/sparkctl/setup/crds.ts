import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CustomResourceDefinition } from '../../../src/sparkctl/setup/objects';

const folder = join(__dirname, '../../../crds');
let crds: CustomResourceDefinition[] | undefined;

/** Those that are in the bundle, from the files that they are made of. In the place of src/sparkctl/setup/bundled.ts, which only the bundler understands. */
export async function bundledCrds(): Promise<CustomResourceDefinition[]> {
  return (crds ??= readdirSync(folder).sort().map((file) => parse(readFileSync(join(folder, file), 'utf8'))));
}
