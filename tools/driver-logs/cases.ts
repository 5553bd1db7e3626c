import { CLUSTER_CASES } from './cases/cluster.ts';
import { JAVA_CASES } from './cases/java.ts';
import { PYTHON_CASES } from './cases/python.ts';
import { R_CASES } from './cases/r.ts';
import { SCALA_CASES } from './cases/scala.ts';
import { SQL_CASES } from './cases/sql.ts';
import { STORAGE_CASES } from './cases/storage.ts';
import { STREAMING_CASES } from './cases/streaming.ts';
import type { Case } from './case.ts';

/** All that is recorded. */
export const CASES: readonly Case[] = [
  ...PYTHON_CASES, ...SQL_CASES, ...JAVA_CASES, ...SCALA_CASES, ...R_CASES, ...STREAMING_CASES, ...STORAGE_CASES, ...CLUSTER_CASES,
];
