/*
 * `node tools/release/chart/main.ts FOLDER` writes install.yaml and the Helm chart, as a folder and as
 * an archive, from the compiled package.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { writeRelease } from './write.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('name a folder for install.yaml and the chart');
const root = join(import.meta.dirname, '../../..');
const require = createRequire(join(root, 'package.json'));
const { propsOf } = require('./lib/constructs/install/values-file');
const { synthesize } = require('./lib/constructs/install/synthesize');
const crds = join(root, 'crds');
writeRelease({
  version: require('./package.json').version,
  synthesize: (props) => synthesize(propsOf({}, { name: 'values', content: stringify(props, { version: '1.1' }) }), []).objects,
  crds: Object.fromEntries(readdirSync(crds).sort().map((file) => [file, readFileSync(join(crds, file), 'utf8')])),
}, resolve(folder));
