import { refuseLocalFile } from './dependencies';
import { SubmissionError } from './errors';
import { NO_RESOURCE } from './main-application';
import type { MainApplication, ResourceType } from './main-application';
import type { SparkApplicationSpec } from '../../api/spark-application';
import { SparkApplicationType } from '../../api/spark-application';

/** How Spark tells what a file is: by its name alone (SparkSubmit.isPython, isR). */
const FILE_NAMES: readonly { readonly type: ResourceType; readonly pattern: RegExp; readonly remedy: string }[] = [
  { type: 'python', pattern: /\.py$/, remedy: 'name a .py file, or correct spec.type' },
  { type: 'r', pattern: /\.[Rr]$/, remedy: 'name a .R file, or correct spec.type' },
  { type: 'java', pattern: /(?<!\.py|\.[Rr])$/, remedy: 'name a jar, or correct spec.type' },
];

const TYPES: { readonly [type in SparkApplicationType]: ResourceType } = {
  [SparkApplicationType.JAVA]: 'java',
  [SparkApplicationType.SCALA]: 'java',
  [SparkApplicationType.PYTHON]: 'python',
  [SparkApplicationType.R]: 'r',
};

/**
 * What the driver runs.
 *
 * @throws SubmissionError if the file is on no machine that the driver can reach, is not of the application's type, or if
 * a jar has no main class
 */
export function mainApplication(spec: SparkApplicationSpec): MainApplication {
  const resource = spec.mainApplicationFile;
  const field = 'spec.mainApplicationFile';
  const type = TYPES[spec.type];
  if (type === undefined) {
    throw new SubmissionError({
      field: 'spec.type', value: spec.type, reason: 'is not a type of application', remedy: `write ${Object.keys(TYPES).join(', ')}`,
    });
  }
  if (!(type === 'java' && resource === NO_RESOURCE)) {
    refuseLocalFile(resource, field);
  }
  const { pattern, remedy } = FILE_NAMES.find(entry => entry.type === type)!;
  if (!pattern.test(resource)) {
    throw new SubmissionError({ field, value: resource, reason: `is not what spec.type, ${spec.type}, says: Spark goes by the file's name`, remedy });
  }
  return { type, resource, mainClass: spec.mainClass, arguments: spec.arguments ?? [] };
}
