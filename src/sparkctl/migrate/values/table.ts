import { CONTROLLER, SUBMITTER } from './controller';
import { GENERAL } from './general';
import { PROMETHEUS } from './prometheus';
import { SPARK } from './spark';
import type { ValuesTable } from './translation';
import { WEBHOOK } from './webhook';

/**
 * All values of kubeflow's chart, and what they become here.
 *
 * @see https://github.com/kubeflow/spark-operator/blob/master/charts/spark-operator-chart/values.yaml
 */
export const VALUES: ValuesTable = { ...GENERAL, ...CONTROLLER, ...SUBMITTER, ...WEBHOOK, ...SPARK, ...PROMETHEUS };
