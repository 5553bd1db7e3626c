import { join } from 'node:path';
import { neededFor, obtain, type Part } from '../local-cluster/build/parts.ts';
import type { Progress } from '../local-cluster/index.ts';
import { cacheFolder } from '../local-cluster/paths.ts';
import { ensure } from '../local-cluster/requirements.ts';
import { run } from '../local-cluster/run.ts';

/** Apache Airflow's libraries, and its provider with the operator for SparkApplications. No server of it is run. */
const PACKAGES = ['apache-airflow-core==3.3.2', 'apache-airflow-task-sdk==1.3.2', 'apache-airflow-providers-common-compat==1.23.0', 'apache-airflow-providers-cncf-kubernetes==10.25.0'];

async function airflowPart(): Promise<Part> {
  return {
    name: 'airflow',
    inputs: { packages: PACKAGES.join(' '), python: (await run('python3', ['--version'], { purpose: 'ask for the version of Python' })).trim(), revision: '1' },
    needs: { programs: [], tools: ['python'] },
    label: 'fetching Apache Airflow (about a minute, once)',
    async build(folder, log) {
      await run('python3', ['-m', 'pip', 'install', '--no-cache-dir', '--target', join(folder, 'packages'), ...PACKAGES], {
        log, purpose: 'fetch Apache Airflow', hint: 'pip needs access to a package index (see `python3 -m pip config list`).',
      });
    },
  };
}

/** @returns the folder with Airflow's packages, for PYTHONPATH */
export async function obtainAirflow({ install, progress }: { readonly install: boolean; readonly progress: Progress }): Promise<string> {
  const part = await airflowPart();
  const cache = cacheFolder();
  await ensure(neededFor(cache, [part]), install, progress);
  return join(await obtain(cache, part, progress), 'packages');
}
