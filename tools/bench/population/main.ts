/*
 * `npm run bench:population`: how the operator fares with many applications, as a function of their number, with a real control plane and simulated
 * nodes. See USAGE for its flags. Progress goes to stderr, the report to stdout.
 */
import { terminalProgress } from '../../local-cluster/index.ts';
import { runBenchmark } from '../benchmark.ts';
import { exitCode, judge } from './goals.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { render } from './report.ts';
import { measurePopulation } from './run.ts';

const progress = terminalProgress();

await runBenchmark({
  usage: USAGE, parseOptions, judge, render, exitCode, measure: async (options: Options, machine) => measurePopulation(options, progress, machine),
}, progress);
