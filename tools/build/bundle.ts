/* Bundles each program of the package into one file: runtime/operator.cjs, which the image runs, and runtime/sparkctl.cjs, the command line; and the client for pipelines, runtime/client.cjs. */
import { chmodSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { parse } from 'yaml';
import { buildPage, consolePage } from './console.ts';
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

/** What the constructs and `sparkctl install` read from files of the package: its version, and the CRDs with their descriptions. Compressed these are a tenth as large. */
const packageFiles: Plugin = {
  name: 'package-files',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^bundled:crds$/ }, ({ path }) => ({ path, namespace: 'package-files' }));
    onLoad({ filter: /.*/, namespace: 'package-files' }, () => {
      const files = globSync('crds/*.yaml', { cwd: root }).sort().map((file) => join(root, file));
      const crds = Buffer.from(JSON.stringify(files.map((file) => parse(readFileSync(file, 'utf8')))));
      // They repeat each other, farther apart than the window that is usual.
      const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS, [constants.BROTLI_PARAM_SIZE_HINT]: crds.length };
      const compressed = brotliCompressSync(crds, { params });
      return { contents: compressed.toString('base64'), loader: 'text', watchFiles: files };
    });
    onLoad({ filter: /\/src\/constructs\/_package\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(/JSON\.parse\(readFileSync\(.*\)\)\.version/, JSON.stringify(version));
      if (contents === text) throw new Error(`${path} does not read the version as this plugin expects it`);
      return { contents, loader: 'ts' };
    });
  },
};

/** Of a schema; a field of this name has an object there. */
function withoutDescriptions(key: string, value: unknown): unknown {
  return key === 'description' && typeof value === 'string' ? undefined : value;
}

/** Where a construct's file is in the package, from runtime/. */
const CONSTRUCTS = '../lib/constructs';

/** The client is given what the constructs have made, and makes the same of props: it uses those of the package, when it needs them. */
const constructsOfPackage: Plugin = {
  name: 'constructs-of-package',
  setup({ onResolve }) {
    onResolve({ filter: /\/constructs\// }, ({ path, importer }) => (importer.includes('/src/client/') ? { path: `${CONSTRUCTS}/${basename(path)}.js`, external: true } : undefined));
  },
};

interface Program {
  readonly entryPoint: string;
  readonly outfile: string;
  readonly banner: string;
  /** Whether it is for the programs of users, on any Node that the constructs are for. @default - it is run by its name */
  readonly isLibrary?: boolean;
}

const PROGRAMS: readonly Program[] = [
  { entryPoint: 'src/operator/main.ts', outfile: 'runtime/operator.cjs', banner: guard('cdk8s-spark-operator', 'Install a newer Node, or use the image, which contains one.') },
  { entryPoint: 'src/sparkctl/main.ts', outfile: 'runtime/sparkctl.cjs', banner: guard('sparkctl', 'Install a newer Node.') },
  { entryPoint: 'src/client/index.ts', outfile: 'runtime/client.cjs', banner: '', isLibrary: true },
];

/** `--readable FOLDER` puts bundles with the names of the sources there, for profiles (tools/bench). */
const readable = process.argv[2] === '--readable' ? process.argv[3] : undefined;

const page = await buildPage(root, readable === undefined);
const inputs = new Set<string>(page.inputs);
for (const { entryPoint, outfile: path, banner, isLibrary = false } of PROGRAMS) {
  const outfile = readable === undefined ? path : join(readable, basename(path));
  const { metafile } = await build({
    entryPoints: [join(root, entryPoint)],
    outfile: resolve(root, outfile),
    bundle: true,
    external: ['bufferutil', 'utf-8-validate'], // native accelerators of ws, which does without
    platform: 'node',
    target: isLibrary ? 'node20' : 'node22',
    // Test runners load CommonJS their own way, which knows no import().
    supported: { 'dynamic-import': !isLibrary },
    format: 'cjs',
    minify: readable === undefined,
    keepNames: true,
    legalComments: 'none', // all licences stand in LICENSES.txt
    sourcemap: false,
    metafile: true,
    plugins: [leaveOut, customResourceDefinitions, constructsOfPackage, packageFiles, consolePage(page)],
    absWorkingDir: root,
    banner: { js: banner },
    define: { PACKAGE_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
  });
  // npm sets this mode when it packs or links; who runs the file itself, as the Python package does, should not depend on it.
  if (!isLibrary) chmodSync(resolve(root, outfile), 0o755);
  for (const input of Object.keys(metafile.inputs)) inputs.add(input);
  console.log(`${outfile}: ${Math.round(statSync(resolve(root, outfile)).size / 1024)} KiB`);
}
if (readable === undefined) writeFileSync(join(root, 'runtime/LICENSES.txt'), licensesOf(root, [...inputs]));
