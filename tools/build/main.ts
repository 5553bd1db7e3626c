/* `npm run compile`: src → lib (jsii), runtime/operator.cjs and runtime/sparkctl.cjs (esbuild), if anything changed. */
import { join } from 'node:path';
import { compileIfChanged } from './compile.ts';

console.log(compileIfChanged(join(import.meta.dirname, '../..')) ? 'compiled' : 'nothing has changed since the last time');
