import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(__dirname, '../fixtures/applications');

/** A manifest of test/fixtures/applications. */
export interface ApplicationFixture {
  /** Name of the file. */
  readonly file: string;
  /** The manifest as it is written. */
  readonly manifest: any;
}

/** Manifests as people write them, which together use every field of a SparkApplication. */
export function applicationFixtures(): ApplicationFixture[] {
  return readdirSync(folder).sort().map((file) => ({ file, manifest: parse(readFileSync(join(folder, file), 'utf8')) }));
}
