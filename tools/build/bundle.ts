/*
 * Makes what is run of the package, runtime/: the operator (operator.cjs), the command line (sparkctl.cjs) and the client for pipelines (client.cjs). These three files are small, or what is their own; what
 * several of them need is in files that they share (part-*.cjs). See docs/explain/decisions/0021-shared-bundle.md.
 */
import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { buildPage, consolePage } from './console.ts';
import { guard } from './entries.ts';
import { licensesOf } from './licenses.ts';
import { constructsOfPackage, lazyBuiltins, lazyImports, leaveOut, onlyPool, oneYaml, packageFiles, schemas } from './plugins.ts';
import { splitBundle } from './split.ts';

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const folder = join(root, 'runtime');

const ENTRY_POINTS = { operator: 'src/bin/operator.ts', sparkctl: 'src/bin/sparkctl.ts', client: 'src/client/index.ts' };

/** The client is a file that programs import. The others are begun by files of their own. */
const nameOf = (programs: readonly string[]) => (programs.join() === 'client' ? 'client' : `part-${programs.join('-')}`);

const page = await buildPage(root);
const OPTIONS: BuildOptions = {
  outdir: folder,
  external: ['bufferutil', 'utf-8-validate'], // native accelerators of ws, which does without
  platform: 'node',
  target: 'node20', // of the client, which is for any Node that the constructs are for
  minify: true,
  legalComments: 'none', // all licences are in LICENSES.txt
  sourcemap: false,
  plugins: [leaveOut, onlyPool, schemas, constructsOfPackage, packageFiles(root, version), consolePage(page), oneYaml, lazyImports, lazyBuiltins],
  absWorkingDir: root,
  define: { PACKAGE_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};

/** A program that is run by its name. npm sets this mode when it packs or links; who runs the file itself, as the Python package does, should not depend on it. */
function writeProgram(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
}

/** Returns the program that sparkctl runs before it loads itself, as a text. */
async function startOfSparkctl(): Promise<string> {
  const { outputFiles } = await build({ entryPoints: ['src/bin/sparkctl-start.ts'], bundle: true, write: false, platform: 'node', format: 'cjs', target: 'es2019', absWorkingDir: root, logLevel: 'warning' });
  return outputFiles[0]!.text;
}

const { files, inputs } = await splitBundle(ENTRY_POINTS, nameOf, OPTIONS);
mkdirSync(folder, { recursive: true });
for (const left of globSync('part-*.cjs', { cwd: folder })) if (!files.some(({ name }) => name === left)) rmSync(join(folder, left));
for (const { name, text } of files) {
  writeFileSync(join(folder, name), text);
  console.log(`runtime/${name}: ${Math.round(text.length / 1024)} KiB`);
}
writeProgram('operator.cjs', `${guard('cdk8s-spark-operator', 'Install a newer Node, or use the image, which contains one.')}\nrequire('./part-operator.cjs');\n`);
writeProgram('sparkctl.cjs', `${guard('sparkctl', 'Install a newer Node.')}\n${await startOfSparkctl()}require('./part-sparkctl.cjs');\n`);
writeFileSync(join(folder, 'LICENSES.txt'), licensesOf(root, [...page.inputs, ...inputs]));
