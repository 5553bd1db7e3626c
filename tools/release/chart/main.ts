/*
 * `node tools/release/chart/main.ts FOLDER` writes install.yaml and the Helm chart, as a folder and as
 * an archive, from the compiled package.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { CHART_NAME, chartFiles, installFile, type ChartSource } from './chart.ts';

/** Returns the parts of a compiled package. */
export function compiledSource(root: string): ChartSource {
  const require = createRequire(join(root, 'package.json'));
  const { propsOf } = require('./lib/constructs/install/values-file');
  const { synthesize } = require('./lib/constructs/install/synthesize');
  const folder = join(root, 'crds');
  return {
    version: require('./package.json').version,
    synthesize: (props) => synthesize(propsOf({}, { name: 'values', content: stringify(props) }), []).objects,
    crds: Object.fromEntries(readdirSync(folder).sort().map((file) => [file, readFileSync(join(folder, file), 'utf8')])),
  };
}

/** Writes the files of a release into a folder. */
export function writeRelease(source: ChartSource, folder: string): void {
  for (const [path, text] of Object.entries(chartFiles(source))) {
    const file = join(folder, CHART_NAME, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(folder, 'install.yaml'), installFile(source));
  execFileSync('tar', [
    '--create', '--gzip', '--file', join(folder, `${CHART_NAME}-${source.version}.tgz`), '--directory', folder, CHART_NAME,
  ]);
}

if (import.meta.filename === resolve(process.argv[1] ?? '')) {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('name a folder for install.yaml and the chart');
  writeRelease(compiledSource(join(import.meta.dirname, '../../..')), resolve(folder));
}
