import { QUIET } from '../case.ts';
import type { Case } from '../case.ts';

export const PYTHON_CASES: readonly Case[] = [
  { name: 'python-missing-column', spark: '3.5.8', program: 'python/orders_report.py', exitCode: 1, contains: 'UNRESOLVED_COLUMN' },
  { name: 'python-missing-column', spark: '4.1.1', program: 'python/orders_report.py', exitCode: 1, contains: 'UNRESOLVED_COLUMN' },
  { name: 'python-missing-table', spark: '4.0.2', program: 'python/missing_table.py', exitCode: 1, contains: 'TABLE_OR_VIEW_NOT_FOUND' },
  { name: 'python-parse-error', spark: '3.5.8', program: 'python/parse_error.py', exitCode: 1, contains: 'PARSE_SYNTAX_ERROR' },
  { name: 'python-zero-division', spark: '4.1.1', program: 'python/conversion_rate.py', args: ['2026-11-27'], conf: QUIET, exitCode: 1, contains: 'ZeroDivisionError' },
  { name: 'python-udf-error', spark: '3.5.8', program: 'python/udf_error.py', exitCode: 1, contains: 'ZeroDivisionError' },
  { name: 'python-udf-error', spark: '4.3.0', program: 'python/udf_error.py', exitCode: 1, contains: 'ZeroDivisionError' },
  { name: 'python-module-not-found', spark: '4.3.0', program: 'python/module_not_found.py', args: ['/data/sales'], exitCode: 1, contains: 'ModuleNotFoundError' },
  { name: 'python-syntax-error', spark: '4.1.1', program: 'python/syntax_error.py', exitCode: 1, contains: 'SyntaxError' },
  { name: 'python-exit-code', spark: '3.5.8', program: 'python/exit_code.py', exitCode: 3, contains: 'found 0 rows' },
  { name: 'python-exit-message', spark: '4.0.2', program: 'python/exit_message.py', exitCode: 1, contains: 'no orders for 2026-11-27' },
  { name: 'python-chained-exception', spark: '4.1.1', program: 'python/chained_exception.py', exitCode: 1, contains: 'ConfigurationError' },
  { name: 'python-environment-variable', spark: '4.0.2', program: 'python/environment_variable.py', exitCode: 1, contains: 'KeyError' },
  { name: 'python-missing-path', spark: '3.5.8', program: 'python/missing_path.py', args: ['2026-11-27'], exitCode: 1, contains: 'PATH_NOT_FOUND' },
  { name: 'python-missing-path', spark: '4.3.0', program: 'python/missing_path.py', args: ['2026-11-27'], exitCode: 1, contains: 'PATH_NOT_FOUND' },
  { name: 'python-permission-denied', spark: '4.0.2', program: 'python/permission_denied.py', setup: 'mkdir -p $root/data/reports', exitCode: 1, contains: 'Mkdirs failed' },
  { name: 'python-bad-setting', spark: '4.3.0', program: 'python/bad_setting.py', exitCode: 1, contains: 'spark.sql.shuffle.partitions' },
  {
    name: 'python-bad-size', spark: '4.1.1', program: 'python/plain_job.py', conf: { 'spark.executor.memory': '4 gigabytes', 'spark.master': 'local-cluster[1,1,1024]' },
    exitCode: 1, contains: 'Executor memory must be a positive number',
  },
  { name: 'python-pandas-missing', spark: '4.1.1', program: 'python/to_pandas.py', exitCode: 1, contains: 'Pandas' },
  { name: 'python-worker-exit', spark: '3.5.8', program: 'python/worker_exit.py', exitCode: 1, contains: 'Python worker exited unexpectedly' },
  {
    name: 'python-worker-version', spark: '4.0.2', program: 'python/udf_error.py', environment: { PYSPARK_PYTHON: 'pypy3', PYSPARK_DRIVER_PYTHON: 'python3' },
    exitCode: 1, contains: 'PYTHON_VERSION_MISMATCH',
  },
  {
    name: 'python-large-result', spark: '4.0.2', program: 'python/large_result.py', conf: { ...QUIET, 'spark.driver.maxResultSize': '1m' },
    exitCode: 1, contains: 'spark.driver.maxResultSize',
  },
  { name: 'python-assertion', spark: '3.5.8', program: 'python/failed_assertion.py', conf: QUIET, exitCode: 1, contains: 'AssertionError' },
  { name: 'python-cast-error', spark: '4.3.0', program: 'python/cast_error.py', conf: QUIET, exitCode: 1, contains: 'CAST_INVALID_INPUT' },
  { name: 'python-attribute-error', spark: '4.0.2', program: 'python/attribute_error.py', exitCode: 1, contains: 'AttributeError' },
  { name: 'python-output-exists', spark: '4.1.1', program: 'python/output_exists.py', exitCode: 1, contains: 'PATH_ALREADY_EXISTS' },
  { name: 'python-unknown-host', spark: '4.3.0', program: 'python/rest_call.py', exitCode: 1, contains: 'URLError' },
  { name: 'python-logged-error', spark: '4.1.1', program: 'python/logged_error.py', exitCode: 1, contains: 'could not convert string to float' },
  { name: 'python-corrupt-parquet', spark: '4.0.2', program: 'python/corrupt_parquet.py', exitCode: 1, contains: 'is not a Parquet file' },
  { name: 'python-context-on-executor', spark: '3.5.8', program: 'python/context_on_executor.py', exitCode: 1, contains: 'CONTEXT_ONLY_VALID_ON_DRIVER' },
  {
    name: 'python-missing-file', spark: '4.1.1', program: 'python/plain_job.py', resource: 'local:///opt/spark/work-dir/plain_jobs.py',
    exitCode: 2, contains: "can't open file",
  },
];
