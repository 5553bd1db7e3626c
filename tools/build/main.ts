/* `npm run compile`: src → lib (jsii), the programs and the client in runtime/ (esbuild), and the types of the client, if anything changed. */
import { join } from 'node:path';
import { formatError } from '../local-cluster/errors.ts';
import { compileIfChanged } from './compile.ts';

try {
  console.log(await compileIfChanged(join(import.meta.dirname, '../..')) ? 'compiled' : 'nothing has changed since the last time');
} catch (error) {
  console.error(formatError(error));
  process.exitCode = 1;
}
