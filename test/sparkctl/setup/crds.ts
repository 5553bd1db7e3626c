import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CustomResourceDefinition } from '../../../src/sparkctl/setup/objects';

const folder = join(__dirname, '../../../crds');
let crds: CustomResourceDefinition[] | undefined;

/**
 * Replaces src/sparkctl/setup/bundled.ts, which only the bundler resolves: reads the CRDs from
 * their source files.
 */
export async function bundledCrds(): Promise<CustomResourceDefinition[]> {
  return (crds ??= readdirSync(folder).sort().map((file) => parse(readFileSync(join(folder, file), 'utf8'))));
}
