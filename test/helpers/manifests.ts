import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a manifest of test/e2e/manifests, with `${name}` replaced by `values.name`. */
export function manifest(file: string, values: Readonly<Record<string, string>> = {}): string {
  return readFileSync(join(__dirname, '../e2e/manifests', file), 'utf8').replace(/\$\{(\w+)\}/g, (_, name: string) => {
    if (!(name in values)) throw new Error(`${file} wants to know ${name}`);
    return values[name]!;
  });
}
