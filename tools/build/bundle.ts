/* Bundles src/operator into the one file that the image runs: runtime/operator.cjs. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { licensesOf } from './licenses.ts';

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The bundled HTTP client needs this Node; see docs/decisions/0002-runtime-in-the-package.md. Keep the code plain: older Nodes have to parse it. */
const GUARD = `#!/usr/bin/env node
(function () {
  var needed = [22, 19];
  var found = process.versions.node.split('.').map(Number);
  if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
    console.error('cdk8s-spark-operator needs Node ' + needed.join('.') + ' or newer to run; this is Node ' + process.versions.node + '. Install a newer Node, or use the image, which contains one.');
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

const outfile = join(root, 'runtime/operator.cjs');
const { metafile } = await build({
  entryPoints: [join(root, 'src/operator/main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  minify: true,
  keepNames: true,
  legalComments: 'none', // all licences stand in LICENSES.txt
  sourcemap: false,
  metafile: true,
  plugins: [leaveOut],
  absWorkingDir: root,
  banner: { js: GUARD },
  define: { PACKAGE_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
});
writeFileSync(join(root, 'runtime/LICENSES.txt'), licensesOf(root, Object.keys(metafile.inputs)));
console.log(`runtime/operator.cjs: ${Math.round(statSync(outfile).size / 1024)} KiB`);
