/*
 * `node tools/release/chart/main.ts FOLDER` writes install.yaml and the Helm chart, as a folder and as
 * an archive, from the constructs.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { stringify } from 'yaml';
import { packageFiles } from '../../build/plugins.ts';
import type { KubernetesObject } from './cases.ts';
import { writeRelease } from './write.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('name a folder for install.yaml and the chart');
const root = join(import.meta.dirname, '../../..');
const require = createRequire(join(root, 'package.json'));
const { version } = require('./package.json');
const { propsOf, synthesize } = await bundled();
const crds = join(root, 'crds');
writeRelease({
  version,
  synthesize: (props) => (
    synthesize(propsOf({}, { name: 'values', content: stringify(props, { version: '1.1' }) }), []).objects as unknown as KubernetesObject[]
  ),
  crds: Object.fromEntries(readdirSync(crds).sort().map((file) => [file, readFileSync(join(crds, file), 'utf8')])),
}, resolve(folder));

type Constructs = typeof import('../../../src/constructs/install/values-file') & typeof import('../../../src/constructs/install/synthesize');

/** Loads what `sparkctl install` reads and synthesizes with. jsii does not compile it to lib/, as the API does not have it. */
async function bundled(): Promise<Constructs> {
  const temporary = mkdtempSync(join(tmpdir(), 'chart-'));
  try {
    const outfile = join(temporary, 'constructs.cjs');
    const contents = ['values-file', 'synthesize'].map((name) => `export * from './src/constructs/install/${name}';`).join('\n');
    await build({ stdin: { contents, resolveDir: root }, outfile, bundle: true, platform: 'node', plugins: [packageFiles(root, version)], logLevel: 'warning' });
    return require(outfile);
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
