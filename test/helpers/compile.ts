import { join } from 'node:path';
import { compileIfChanged } from '../../tools/build/compile';

/** Once before all tests: lib/, .jsii and the programs in runtime/ are those of the sources. */
export default function compile(): void {
  compileIfChanged(join(__dirname, '../..'));
}
