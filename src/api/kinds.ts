import type { KindDefinition } from './kind';
import { SCHEDULED_SPARK_APPLICATION } from './scheduled-spark-application';
import { SPARK_APPLICATION } from './spark-application';
import { SPARK_CONNECT } from './spark-connect';

/** All kinds of this project. The CRDs, the reference pages and `SparkOperator` use this list. */
export const KINDS: readonly KindDefinition[] = [SPARK_APPLICATION, SCHEDULED_SPARK_APPLICATION, SPARK_CONNECT];
