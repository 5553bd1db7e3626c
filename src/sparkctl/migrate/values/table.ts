import { CONTROLLER, SUBMITTER } from './controller';
import { GENERAL } from './general';
import { PROMETHEUS } from './prometheus';
import { SPARK } from './spark';
import type { ValuesTable } from './translation';
import { WEBHOOK } from './webhook';

/** All values of kubeflow's chart (charts/spark-operator-chart/values.yaml). */
export const VALUES: ValuesTable = { ...GENERAL, ...CONTROLLER, ...SUBMITTER, ...WEBHOOK, ...SPARK, ...PROMETHEUS };
