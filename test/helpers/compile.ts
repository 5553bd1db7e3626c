import { join } from 'node:path';
import { compileIfChanged } from '../../tools/build/compile';

/** Once before all tests: lib/, .jsii and the programs in runtime/ are those of the sources. `npm test` has compiled them before. */
export default async function compile(): Promise<void> {
  if (!process.env.IS_COMPILED) await compileIfChanged(join(__dirname, '../..'));
}
