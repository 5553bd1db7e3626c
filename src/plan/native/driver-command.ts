import type { EnvVar } from '../../model/kubernetes-objects';
import type { MainApplication, ResourceType } from '../properties/main-application';
import type { DriverConf } from './driver-conf';
import type { FeatureStep } from './feature-step';
import { PROPERTIES_PATH } from './kubernetes-conf-map';
import { addParts } from './pod-parts';

/** Classes with which Spark runs applications outside the JVM. */
const RUNNERS: { readonly [type in ResourceType]?: string } = {
  python: 'org.apache.spark.deploy.PythonRunner',
  r: 'org.apache.spark.deploy.RRunner',
};

const PYTHON_VERSION = 'spark.kubernetes.pyspark.pythonVersion';

/**
 * Sets the arguments of the image's entry point, and the Python to use (DriverCommandFeatureStep).
 */
export const driverCommand: FeatureStep = (conf, { pod, container }) => {
  const { application } = conf;
  const withCommand = { ...container, args: [...container.args ?? [], ...command(application)] };
  return {
    pod: addParts({ pod, container: withCommand }, { env: application.type === 'python' ? pythonEnvironment(conf) : [] }),
    properties: { 'spark.kubernetes.resource.type': application.type },
  };
};

function command(application: MainApplication): string[] {
  return [
    'driver',
    ...(application.proxyUser === undefined ? [] : ['--proxy-user', application.proxyUser]),
    '--properties-file', PROPERTIES_PATH,
    '--class', RUNNERS[application.type] ?? application.mainClass ?? '',
    application.resource,
    ...application.arguments,
  ];
}

function pythonEnvironment({ conf, version }: DriverConf): EnvVar[] {
  if (!version.features.anyPythonVersion) {
    conf.oneOf(PYTHON_VERSION, ['3'], '3');
  }
  const variables = [
    { name: 'PYSPARK_PYTHON', value: conf.text('spark.pyspark.python') },
    { name: 'PYSPARK_DRIVER_PYTHON', value: conf.text('spark.pyspark.driver.python', 'spark.pyspark.python') },
  ];
  return variables.filter(variable => variable.value !== undefined);
}
