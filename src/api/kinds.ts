import type { KindDefinition } from './kind';
import { SPARK_APPLICATION } from './spark-application';

/** All kinds of this project: the CRDs, the reference pages and `SparkOperator` follow this list. */
export const KINDS: readonly KindDefinition[] = [SPARK_APPLICATION];
