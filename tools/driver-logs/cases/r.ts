import type { Case } from '../case.ts';

export const R_CASES: readonly Case[] = [
  { name: 'r-stop', spark: '4.0.2', program: 'r/quality_check.R', exitCode: 1, contains: 'too many rejected rows' },
  { name: 'r-missing-package', spark: '3.5.8', program: 'r/forecast.R', exitCode: 1, contains: 'there is no package called' },
  { name: 'r-missing-object', spark: '4.1.1', program: 'r/summary.R', exitCode: 1, contains: "object 'returns' not found" },
  { name: 'r-no-sparkr', spark: '4.1.1', program: 'r/spark_session.R', exitCode: 1, contains: 'SparkR' },
  {
    name: 'r-not-installed', spark: '3.5.8', program: 'r/quality_check.R', conf: { 'spark.r.command': '/usr/local/bin/Rscript' }, exitCode: 1, contains: 'Cannot run program',
  },
];
