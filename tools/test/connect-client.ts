import { join } from 'node:path';
import { neededFor, obtain, type Part } from '../local-cluster/build/parts.ts';
import { SPARK_VERSION, type Progress } from '../local-cluster/index.ts';
import { cacheFolder } from '../local-cluster/paths.ts';
import { ensure } from '../local-cluster/requirements.ts';
import { run } from '../local-cluster/run.ts';

/** What users of Spark Connect install: PyPI's client, without Spark itself, and what it asks for. */
async function clientPart(): Promise<Part> {
  return {
    name: 'connect-client',
    inputs: { client: SPARK_VERSION, python: (await run('python3', ['--version'], { purpose: 'ask for the version of Python' })).trim(), revision: '1' },
    needs: { programs: [], tools: ['python'] },
    label: `fetching the Spark Connect client ${SPARK_VERSION} (about a minute, once)`,
    async build(folder, log) {
      await run('python3', ['-m', 'pip', 'install', '--no-cache-dir', '--target', join(folder, 'packages'), `pyspark-client==${SPARK_VERSION}`], {
        log, purpose: 'fetch the Spark Connect client', hint: 'pip needs access to a package index (see `python3 -m pip config list`).',
      });
    },
  };
}

/** @returns the folder with the client's packages, for PYTHONPATH */
export async function obtainConnectClient({ install, progress }: { readonly install: boolean; readonly progress: Progress }): Promise<string> {
  const part = await clientPart();
  const cache = cacheFolder();
  await ensure(neededFor(cache, [part]), install, progress);
  return join(await obtain(cache, part, progress), 'packages');
}
