import { formatError, obtainHelm, obtainKubeflowChart, type ObtainOptions } from '../local-cluster/index.ts';
import { obtainAirflow, obtainConnectClient, obtainKubeflowSdk } from './python-packages.ts';

/** A test file that needs other projects' releases, which only a package registry has. */
interface FetchedNeed {
  /** Path of the file from the root. */
  readonly file: string;
  /** Fetches and builds them, once. Returns the variables that the file reads. */
  readonly obtain: (options: ObtainOptions) => Promise<NodeJS.ProcessEnv>;
}

/** All such files. */
export const NEEDS: readonly FetchedNeed[] = [
  { file: 'test/api/chart.test.ts', obtain: async (options) => ({ HELM: await obtainHelm(options) }) },
  { file: 'test/e2e/airflow.test.ts', obtain: async (options) => ({ AIRFLOW: await obtainAirflow(options) }) },
  { file: 'test/e2e/spark-connect.test.ts', obtain: async (options) => ({ CONNECT_CLIENT: await obtainConnectClient(options) }) },
  { file: 'test/e2e/kubeflow-sdk.test.ts', obtain: async (options) => ({ KUBEFLOW_SDK: await obtainKubeflowSdk(options) }) },
  {
    file: 'test/e2e/migration.test.ts',
    obtain: async (options) => ({ KUBEFLOW_CHART: await obtainKubeflowChart(options), HELM: await obtainHelm(options) }),
  },
];

/** Result of `obtainFetched`. */
export interface Fetched {
  readonly environment: NodeJS.ProcessEnv;
  /** Test files that cannot run, with the reason. */
  readonly missing: ReadonlyMap<string, string>;
}

/**
 * Obtains what test files of a tier need of package registries. A file that lacks it is reported and left out.
 *
 * @param isRequired whether to throw instead
 * @param without files that cannot run in any case, with the reason
 */
export async function obtainFetched(
  tier: 'api' | 'e2e', options: ObtainOptions, isRequired: boolean, without: ReadonlyMap<string, string> = new Map(), needs: readonly FetchedNeed[] = NEEDS,
): Promise<Fetched> {
  const environment: NodeJS.ProcessEnv = {};
  const missing = new Map(without);
  for (const { file, obtain } of needs.filter((need) => need.file.startsWith(`test/${tier}/`) && !without.has(need.file))) {
    try {
      Object.assign(environment, await obtain(options));
    } catch (error) {
      if (isRequired) throw error;
      missing.set(file, formatError(error));
    }
  }
  return { environment, missing };
}
