/* Bundles each program of the package into one file: runtime/operator.cjs, which the image runs, and runtime/sparkctl.cjs, the command line. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { parse } from 'yaml';
import { licensesOf } from './licenses.ts';

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The bundled HTTP client needs this Node; see docs/decisions/0002-runtime-in-the-package.md. Keep the code plain: older Nodes have to parse it. */
const guard = (program: string, advice: string) => `#!/usr/bin/env node
(function () {
  var needed = [22, 19];
  var found = process.versions.node.split('.').map(Number);
  if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
    console.error('${program} needs Node ' + needed.join('.') + ' or newer to run; this is Node ' + process.versions.node + '. ${advice}');
    process.exit(1);
  }
})();`;

/**
 * The client's configuration module imports its HTTP library and the generated classes of all APIs, for methods that we never call.
 * They are a megabyte of code and 20 MB of memory; in their place stand functions that say so.
 */
const leaveOut: Plugin = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$|\/gen\/index\.js$/ }, ({ path, importer }) => (importer.includes('@kubernetes/client-node') ? { path, namespace: 'left-out' } : undefined));
    onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: ['Agent', 'ProxyAgent', 'createConfiguration', 'ServerConfiguration', 'Dispatcher', 'fetch']
        .map((name) => `export function ${name}() { throw new Error('${name} of ${path} is not in this bundle, see tools/build/bundle.ts'); }`).join('\n'),
    }));
  },
};

/** CRDs and schemas become what is used of them, without the descriptions, as JSON: reading the YAML at each start would take 200 ms. */
const customResourceDefinitions: Plugin = {
  name: 'custom-resource-definitions',
  setup({ onLoad }) {
    onLoad({ filter: /\/crds\/.*\.yaml$/ }, ({ path }) => {
      const { spec: { versions } } = parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ spec: { versions } }, withoutDescriptions), loader: 'json', watchFiles: [path] };
    });
    onLoad({ filter: /\/schemas\/.*\.json$/ }, ({ path }) => (
      { contents: JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), withoutDescriptions), loader: 'json', watchFiles: [path] }
    ));
  },
};

/** Of a schema; a field of this name has an object there. */
function withoutDescriptions(key: string, value: unknown): unknown {
  return key === 'description' && typeof value === 'string' ? undefined : value;
}

interface Program {
  readonly entryPoint: string;
  readonly outfile: string;
  readonly banner: string;
}

const PROGRAMS: readonly Program[] = [
  { entryPoint: 'src/operator/main.ts', outfile: 'runtime/operator.cjs', banner: guard('cdk8s-spark-operator', 'Install a newer Node, or use the image, which contains one.') },
  { entryPoint: 'src/sparkctl/main.ts', outfile: 'runtime/sparkctl.cjs', banner: guard('sparkctl', 'Install a newer Node.') },
];

/** `--readable FOLDER` puts bundles with the names of the sources there, for profiles (tools/bench). */
const readable = process.argv[2] === '--readable' ? process.argv[3] : undefined;

const inputs = new Set<string>();
for (const { entryPoint, outfile: path, banner } of PROGRAMS) {
  const outfile = readable === undefined ? path : join(readable, basename(path));
  const { metafile } = await build({
    entryPoints: [join(root, entryPoint)],
    outfile: resolve(root, outfile),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    minify: readable === undefined,
    keepNames: true,
    legalComments: 'none', // all licences stand in LICENSES.txt
    sourcemap: false,
    metafile: true,
    plugins: [leaveOut, customResourceDefinitions],
    absWorkingDir: root,
    banner: { js: banner },
    define: { PACKAGE_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
  });
  // npm sets this mode when it packs or links; who runs the file itself, as the Python package does, should not depend on it.
  chmodSync(resolve(root, outfile), 0o755);
  for (const input of Object.keys(metafile.inputs)) inputs.add(input);
  console.log(`${outfile}: ${Math.round(statSync(resolve(root, outfile)).size / 1024)} KiB`);
}
if (readable === undefined) writeFileSync(join(root, 'runtime/LICENSES.txt'), licensesOf(root, [...inputs]));
