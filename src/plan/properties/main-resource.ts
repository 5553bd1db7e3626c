import type { MainApplication, ResourceType } from './main-application';
import type { Problem } from '../../model/problem';
import type { SparkApplicationSpec } from '../../api/spark-application';
import { SparkApplicationType } from '../../api/spark-application';

/** Spark's names of the types of `spec.type`. */
const TYPES: { readonly [type in SparkApplicationType]: ResourceType } = {
  [SparkApplicationType.JAVA]: 'java',
  [SparkApplicationType.SCALA]: 'java',
  [SparkApplicationType.PYTHON]: 'python',
  [SparkApplicationType.R]: 'r',
};

/** Names of the kinds of files for messages. */
const WORDS: { readonly [type in ResourceType]: string } = { java: 'a jar', python: 'a Python file', r: 'an R file' };

/** Program of the driver, and a warning about it. */
export interface MainApplicationResult {
  readonly application: MainApplication;
  /** Present if the file contradicts `spec.type`. */
  readonly warning?: Problem;
}

/**
 * Returns the program of the driver. The name of the file decides its language, as in Spark
 * (SparkSubmit.isPython, isR) and in kubeflow/spark-operator. A contradicting `spec.type` only
 * causes a warning.
 */
export function mainApplication(spec: SparkApplicationSpec): MainApplicationResult {
  const resource = spec.mainApplicationFile;
  const type = typeOf(resource);
  const application: MainApplication = { type, resource, mainClass: spec.mainClass, arguments: spec.arguments ?? [] };
  if (TYPES[spec.type] === type) {
    return { application };
  }
  return {
    application, warning: {
      path: 'spec.type', reason: `is ${spec.type}, but Spark runs the main file as ${WORDS[type]}, by its name`, severity: 'ineffective',
    },
  };
}

function typeOf(resource: string): ResourceType {
  if (resource.endsWith('.py')) {
    return 'python';
  }
  return /\.R$/i.test(resource) ? 'r' : 'java';
}
