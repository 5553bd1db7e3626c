/*
 * `npm run bench:neighbours`: how one namespace fares while another creates thousands of
 * applications, some of them huge, with a real control plane. See USAGE for its flags. Progress
 * goes to stderr, the report to stdout.
 */
import { terminalProgress } from '../../local-cluster/index.ts';
import { runBenchmark } from '../benchmark.ts';
import type { MachineFacts } from '../machine.ts';
import { measureNeighbours } from './measure.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { exitCode, judge, render } from './report.ts';

const progress = terminalProgress();

await runBenchmark({
  usage: USAGE, parseOptions, judge, render, exitCode,
  measure: (options: Options, machine: MachineFacts) => measureNeighbours(options, machine, progress),
}, progress);
