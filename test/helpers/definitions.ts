import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compile from './compile';
import { kubectl, only, watch } from './kubectl';

const FOLDER = join(__dirname, '../../crds');
const NAMES = ['sparkapplications', 'scheduledsparkapplications', 'sparkconnects'].map((plural) => `${plural}.sparkoperator.k8s.io`);

/** In seconds. Two is what it takes. */
const TOUCHED_AFTER = 20;

/**
 * Runs once before all tests with a cluster: does the work of `compile`, and creates the CRDs, which installations share. Installations that begin at the
 * same time would all want to create them, and keep an API server that has just started busy for a minute.
 */
export default async function define(): Promise<void> {
  await compile();
  // A test of the documentation site runs without a cluster, too; others report that there is none.
  if (!process.env.TEST_CLUSTER) return;
  for (const file of globSync('*.yaml', { cwd: FOLDER })) await kubectl(['apply', '-f', '-'], readFileSync(join(FOLDER, file), 'utf8'));
  await established(90);
}

/**
 * Resolves when the API server serves kinds, ours if no CRDs are named. It sometimes establishes a CRD only after an update: the controller reads a cache that does not contain the accepted names yet, and does not
 * retry (apiextensions-apiserver, establishing_controller.go).
 *
 * @throws {Error} with the status of the CRD, if it is not established within `seconds`
 */
export async function established(seconds: number, names: readonly string[] = NAMES): Promise<void> {
  await Promise.all(names.map(async (name) => {
    let seen = 'nothing';
    // Not `kubectl wait`: it fails at once if a CRD has no conditions yet.
    const serves = async (time: number) => watch(['crd', only(name), '-o', 'jsonpath={.status}{"\\n"}'], (status) => {
      if (status) seen = status;
      const conditions: { type: string; status: string }[] = (status && JSON.parse(status).conditions) || [];
      return conditions.some(({ type, status: is }) => type === 'Established' && is === 'True') || undefined;
    }, time);
    if (await serves(TOUCHED_AFTER)) return;
    await kubectl(['annotate', '--overwrite', 'crd', name, `touched=${Date.now()}`]);
    if (!await serves(seconds - TOUCHED_AFTER)) throw new Error(`the API server did not establish ${name} in ${seconds} s; its status: ${seen}`);
  }));
}
