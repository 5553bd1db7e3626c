import { cpSync, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../local-cluster/index.ts';
import { capture } from '../local-cluster/run.ts';

/** The folder of the suite in a checkout. */
export const SUITE_FOLDER = 'test/e2e';

/** Paths by which a checkout is recognized. */
const REQUIRED = ['go.mod', 'examples', `${SUITE_FOLDER}/go.mod`];

/** Top-level folders that the suite does not need, and which can be large. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'bin', 'docs', 'node_modules']);

/** Copies a checkout of kubeflow/spark-operator. Links become files, so that no write through the copy reaches the checkout. */
export function copyCheckout(checkout: string, target: string): void {
  const missing = REQUIRED.find((path) => !existsSync(join(checkout, path)));
  if (missing !== undefined) {
    throw new ToolError(`${checkout} is not a checkout of kubeflow/spark-operator: it has no ${missing}`, 'Clone the repository, and pass its folder.');
  }
  const isWanted = (source: string) => dirname(source) !== checkout || !LEFT_OUT.has(basename(source));
  cpSync(checkout, target, { recursive: true, dereference: true, filter: isWanted });
}

/** Returns the short commit of a checkout, or `unknown` for a folder without a repository of its own. */
export async function revisionOf(checkout: string): Promise<string> {
  if (!existsSync(join(checkout, '.git'))) return 'unknown';
  // A checkout can belong to another user than root.
  const { code, stdout } = await capture('git', ['-c', `safe.directory=${checkout}`, '-C', checkout, 'rev-parse', '--short', 'HEAD']);
  return code === 0 ? stdout.trim() : 'unknown';
}
