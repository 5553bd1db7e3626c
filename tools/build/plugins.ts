/* Content of the bundles, and its form. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { parse } from 'yaml';

/**
 * The client's configuration module imports its HTTP library and the generated classes of all APIs, for methods that we never call.
 * They are a megabyte of code and 20 MB of memory; functions that report this replace them.
 */
export const leaveOut: Plugin = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$|\/gen\/index\.js$/ }, ({ path, importer }) => (importer.includes('@kubernetes/client-node') ? { path, namespace: 'left-out' } : undefined));
    onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: ['Agent', 'ProxyAgent', 'createConfiguration', 'ServerConfiguration', 'Dispatcher', 'fetch']
        .map((name) => `export function ${name}() { throw new Error('${name} of ${path} is not in this bundle, see tools/build/plugins.ts'); }`).join('\n'),
    }));
  },
};

/** Parts of undici that its pool loads, and our calls over HTTP/1.1 with texts never use: the protocol HTTP/2, other bodies, and code for processors without SIMD. */
const UNUSED = /\/undici\/lib\/(?:dispatcher\/client-h2|llhttp\/llhttp-wasm|web\/fetch\/(?:body|formdata)|web\/webidl\/index)\.js$/;

/** The pool of undici without the rest: a third of its code. */
export const onlyPool: Plugin = {
  name: 'only-pool',
  setup({ initialOptions, onResolve, onLoad }) {
    // Node's own copy of undici is bundled with this name defined, which leaves out an experimental parser.
    initialOptions.define = { ...initialOptions.define, esbuildDetection: '1' };
    onResolve({ filter: /^undici$/ }, ({ importer }) => (importer.includes('/src/') ? { path: 'pool', namespace: 'only-pool' } : undefined));
    onLoad({ filter: /.*/, namespace: 'only-pool' }, () => ({
      contents: "export { default as Pool } from 'undici/lib/dispatcher/pool.js';", resolveDir: initialOptions.absWorkingDir,
    }));
    onLoad({ filter: UNUSED }, ({ path }) => ({ contents: `module.exports = () => { throw new Error(${JSON.stringify(`${basename(path)} of undici is not in this bundle, see tools/build/plugins.ts`)}); };` }));
  },
};

/** Removes the descriptions from schemas. */
export const schemas: Plugin = {
  name: 'schemas',
  setup({ onLoad }) {
    onLoad({ filter: /\/schemas\/.*\.json$/ }, ({ path }) => ({ contents: `module.exports = ${parsed(JSON.parse(readFileSync(path, 'utf8')))};`, watchFiles: [path] }));
  },
};

/** Bundles the facts that the constructs and `sparkctl install` read from files of the package: its version, and the CRDs with their descriptions. Compressed these are a tenth as large. */
export const packageFiles = (root: string, version: string): Plugin => ({
  name: 'package-files',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^bundled:crds$/ }, ({ path }) => ({ path, namespace: 'package-files' }));
    onLoad({ filter: /.*/, namespace: 'package-files' }, () => {
      const files = globSync('crds/*.yaml', { cwd: root }).sort().map((file) => join(root, file));
      const crds = Buffer.from(JSON.stringify(files.map((file) => parse(readFileSync(file, 'utf8')))));
      // They repeat each other, farther apart than the window that is usual.
      const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS, [constants.BROTLI_PARAM_SIZE_HINT]: crds.length };
      const compressed = brotliCompressSync(crds, { params });
      return { contents: `export default '${compressed.toString('base64')}';`, watchFiles: files };
    });
    onLoad({ filter: /\/src\/constructs\/_package\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(/JSON\.parse\(readFileSync\(.*\)\)\.version/, JSON.stringify(version));
      if (contents === text) throw new Error(`${path} does not read the version as this plugin expects it`);
      return { contents, loader: 'ts' };
    });
  },
});

/** An expression for a value. A text that is parsed when it is needed costs less memory than an object that is written out. */
function parsed(value: unknown): string {
  return `JSON.parse(${JSON.stringify(JSON.stringify(value, withoutDescriptions))})`;
}

/** Of a schema; a field of this name has an object there. */
function withoutDescriptions(key: string, value: unknown): unknown {
  return key === 'description' && typeof value === 'string' ? undefined : value;
}

/** Where a construct's file is in the package, from runtime/. */
const CONSTRUCTS = '../lib/props';

/** The client is given what the constructs have made, and makes the same of props: it uses those of the package, when it needs them. */
export const constructsOfPackage: Plugin = {
  name: 'constructs-of-package',
  setup({ onResolve }) {
    onResolve({ filter: /\/props\// }, ({ path, importer }) => (importer.includes('/src/client/') ? { path: `${CONSTRUCTS}/${basename(path)}.js`, external: true } : undefined));
  },
};

/** cdk8s brings a YAML library of its own, of another patch level. One is enough. */
export const oneYaml: Plugin = {
  name: 'one-yaml',
  setup({ initialOptions, onResolve, resolve }) {
    onResolve({ filter: /^yaml$/ }, async ({ path, kind, pluginData }) => (
      pluginData === oneYaml ? undefined : resolve(path, { kind, resolveDir: initialOptions.absWorkingDir, pluginData: oneYaml })
    ));
  },
};

/**
 * A module that ours import when it is needed becomes no file of its own, as code splitting would have it, but is only evaluated later: there are files for what programs share, and not a hundred more
 * for twenty commands. Test runners also load CommonJS their own way, which knows no import().
 */
export const lazyImports: Plugin = {
  name: 'lazy-imports',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(/\bimport\(('[^'\n]+')\)(?!\.)/g, 'Promise.resolve().then(() => require($1))');
      return contents === text ? undefined : { contents, loader: 'ts' };
    });
  },
};

/** Modules of Node that take longer to load than others. */
const SLOW = /^(?:node:)?(?:child_process|crypto|dns|http|https|net|tls|vm|zlib)$/;

/**
 * A file that programs share would import modules of Node at its beginning, for all that is in it. So they are treated as modules of ours, and loaded when the first one that imports them is evaluated: that
 * saves `sparkctl --version` a quarter of its time.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: SLOW }, ({ path, kind }) => (kind === 'import-statement' ? { path, namespace: 'builtin' } : undefined));
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: `module.exports = require(${JSON.stringify(path)});` }));
  },
};
