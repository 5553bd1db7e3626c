import { submission } from './submit-case';
import type { SubmitCase } from './submit-case';
import type { Difference } from './comparison/difference';

const MAX_DIFFERENCES = 30;

/** Returns the report of a failed comparison: where the sides differ, and the command that reproduces it. */
export function failure(given: SubmitCase, version: string, differences: readonly Difference[]): string {
  const { argv, files } = submission(given);
  const hidden = differences.length - MAX_DIFFERENCES;
  return [
    `Spark ${version} and native submission differ:`,
    ...differences.slice(0, MAX_DIFFERENCES).flatMap(({ path, spark, native }) => [`  ${path}`, `    spark-submit: ${show(spark)}`, `    native:       ${show(native)}`]),
    ...(hidden > 0 ? [`  … and ${hidden} more`] : []),
    `spark-submit ${argv.map(quoted).join(' ')}`,
    ...Object.entries(files).map(([name, text]) => `${name}:\n${text}`),
  ].join('\n');
}

function show(value: unknown): string {
  return value === undefined ? '(not there)' : JSON.stringify(value);
}

/** For a shell, in single quotes. */
function quoted(argument: string): string {
  return /^[\w./:=@,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
