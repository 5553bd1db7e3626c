import { join } from 'node:path';
import { obtainPart, SPARK_VERSION, type ObtainOptions } from '../local-cluster/index.ts';
import { run } from '../local-cluster/run.ts';

/** Libraries of Apache Airflow, and its provider with the operator for SparkApplications. No server runs. */
const AIRFLOW = [
  'apache-airflow-core==3.3.2', 'apache-airflow-task-sdk==1.3.2', 'apache-airflow-providers-common-compat==1.23.0',
  'apache-airflow-providers-cncf-kubernetes==10.25.0',
];

/** Libraries that execute a notebook as Jupyter does, without its server. */
const JUPYTER = ['nbclient==0.11.0', 'nbformat==5.11.1', 'ipykernel==7.4.0'];

/**
 * kubeflow's SDK with what its extra `spark` adds, but for Spark itself: pyspark-connect is
 * pyspark-client with the jars, which no client needs.
 */
const KUBEFLOW_SDK = ['kubeflow==0.5.0', 'kubeflow-spark-api==2.4.0', 'pyspark-client==4.2.0'];

/** The image that this version of the SDK writes into every application. */
export const KUBEFLOW_SDK_IMAGE = 'docker.io/apache/spark:4.0.4';

/** Returns the folder with Airflow's packages, for PYTHONPATH. */
export async function obtainAirflow(options: ObtainOptions): Promise<string> {
  return await pythonPackages('airflow', 'Apache Airflow', { packages: AIRFLOW.join(' ') }, AIRFLOW, options);
}

/** Returns the folder with kubeflow's SDK, for PYTHONPATH. */
export async function obtainKubeflowSdk(options: ObtainOptions): Promise<string> {
  return await pythonPackages('kubeflow-sdk', "kubeflow's SDK", { packages: KUBEFLOW_SDK.join(' ') }, KUBEFLOW_SDK, options);
}

/** Returns the folder with the client of Spark Connect, as users install it: without Spark, and beside Jupyter. */
export async function obtainConnectClient(options: ObtainOptions): Promise<string> {
  const packages = [`pyspark-client==${SPARK_VERSION}`, ...JUPYTER];
  return await pythonPackages('connect-client', `the Spark Connect client ${SPARK_VERSION} and Jupyter`, { packages: packages.join(' ') }, packages, options);
}

/** @param inputs the key of the cache, with the version of Python */
async function pythonPackages(
  name: string, what: string, inputs: Readonly<Record<string, string>>, packages: readonly string[], options: ObtainOptions,
): Promise<string> {
  const python = (await run('python3', ['--version'], { purpose: 'ask for the version of Python' })).trim();
  const folder = await obtainPart({
    name,
    inputs: { ...inputs, python, revision: '1' },
    needs: { programs: [], tools: ['python'] },
    label: `fetching ${what} (about a minute, once)`,
    async build(target, log) {
      await run('python3', ['-m', 'pip', 'install', '--no-cache-dir', '--target', join(target, 'packages'), ...packages], {
        log, purpose: `fetch ${what}`, hint: 'pip needs access to a package index (see `python3 -m pip config list`).',
      });
    },
  }, options);
  return join(folder, 'packages');
}
