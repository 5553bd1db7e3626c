import type { MainApplication } from '../../src/plan/properties/main-application';
import { MASTER } from '../../tools/real-spark/spark-submit';
import type { Submission } from '../../tools/real-spark/spark-submit';

/** One application as it is handed to spark-submit and to native submission. */
export interface SubmitCase {
  /** Spark properties, as with `--conf`. */
  readonly properties: Readonly<Record<string, string>>;
  /** The program that the driver runs. */
  readonly application: MainApplication;
  /** Text of the driver's pod template. */
  readonly driverTemplate?: string;
  /** Text of the executors' pod template. */
  readonly executorTemplate?: string;
}

/** Where spark-submit finds the templates: in the folder in which it runs. */
export const DRIVER_TEMPLATE = { key: 'spark.kubernetes.driver.podTemplateFile', file: 'driver.yaml' } as const;
export const EXECUTOR_TEMPLATE = { key: 'spark.kubernetes.executor.podTemplateFile', file: 'executor.yaml' } as const;

const MASTER_URL = `k8s://${MASTER}`;

/** Without it spark-submit would wait for the application to end. */
const NOT_WAITING = { 'spark.kubernetes.submission.waitAppCompletion': 'false' };

/** Returns the Spark properties of a case for native submission; templates are not among them. */
export function nativeProperties({ properties }: SubmitCase): Record<string, string> {
  return { 'spark.master': MASTER_URL, ...NOT_WAITING, ...properties };
}

/** Returns the arguments and files of spark-submit for a case. */
export function submission(given: SubmitCase): Submission {
  const { properties, application, driverTemplate, executorTemplate } = given;
  const confs = {
    ...NOT_WAITING,
    ...(driverTemplate === undefined ? {} : { [DRIVER_TEMPLATE.key]: DRIVER_TEMPLATE.file }),
    ...(executorTemplate === undefined ? {} : { [EXECUTOR_TEMPLATE.key]: EXECUTOR_TEMPLATE.file }),
    ...properties,
  };
  return {
    argv: [
      '--master', MASTER_URL,
      '--deploy-mode', 'cluster',
      ...(application.mainClass === undefined ? [] : ['--class', application.mainClass]),
      ...(application.proxyUser === undefined ? [] : ['--proxy-user', application.proxyUser]),
      ...Object.entries(confs).flatMap(([key, value]) => ['--conf', `${key}=${value}`]),
      application.resource,
      ...application.arguments,
    ],
    files: {
      ...(driverTemplate === undefined ? {} : { [DRIVER_TEMPLATE.file]: driverTemplate }),
      ...(executorTemplate === undefined ? {} : { [EXECUTOR_TEMPLATE.file]: executorTemplate }),
    },
  };
}
