/*
 * `npm run bench:submission`: what a native submission costs, beside a bare client that makes the same calls and beside Spark's own JVM, measured against
 * a real API server. See USAGE for its flags. Progress goes to stderr, the report to stdout.
 */
import { terminalProgress } from '../local-cluster/index.ts';
import { runBenchmark } from './benchmark.ts';
import type { MachineFacts } from './machine.ts';
import { measureSubmission } from './measure-submission.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { exitCode, judge, render } from './report.ts';

const progress = terminalProgress();

await runBenchmark({
  usage: USAGE, parseOptions, judge, render, exitCode,
  measure: (options: Options, machine: MachineFacts) => measureSubmission(options, machine, progress),
}, progress);
