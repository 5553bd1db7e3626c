import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** The page of the console, made of its sources: what a program imports as `console-page`. */
export interface BuiltPage {
  readonly script: string;
  readonly style: string;
  /** The sources, relative to `root`. */
  readonly inputs: readonly string[];
}

/** Bundles src/console/page into one script and one style sheet, for browsers of the last two years. */
export async function buildPage(root: string): Promise<BuiltPage> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(root, 'src/console/page/main.tsx')],
    outdir: join(root, 'runtime'),
    write: false,
    bundle: true,
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: '{}',
    minify: true,
    legalComments: 'none', // all licences are in LICENSES.txt
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
  });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))!.text;
  return { script: textOf('.js'), style: textOf('.css'), inputs: Object.keys(metafile.inputs) };
}

/** Puts the page into programs that import `console-page`. */
export function consolePage(page: BuiltPage): Plugin {
  return {
    name: 'console-page',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^console-page$/ }, ({ path }) => ({ path, namespace: 'console-page' }));
      onLoad({ filter: /.*/, namespace: 'console-page' }, () => ({
        contents: `export const script = ${JSON.stringify(page.script)};\nexport const style = ${JSON.stringify(page.style)};\n`,
      }));
    },
  };
}
