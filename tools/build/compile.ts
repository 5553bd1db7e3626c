import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Compiles src/ with jsii to lib/ and .jsii. Throws with jsii's own messages on errors. */
export function compile(root: string): void {
  execFileSync(process.execPath, [join(root, 'node_modules/jsii/bin/jsii'), '--silence-warnings=reserved-word'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
