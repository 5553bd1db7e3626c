/*
 * `npm run bench:synth`: how long a program takes that synthesizes 10, 100, 1,000 and 10,000 applications. See USAGE for its flags. Progress goes to stderr, the
 * report to stdout.
 */
import { terminalProgress } from '../../local-cluster/index.ts';
import { runBenchmark } from '../benchmark.ts';
import type { MachineFacts } from '../machine.ts';
import { measureSynth } from './measure.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { exitCode, judge, render } from './report.ts';

const progress = terminalProgress();

await runBenchmark({
  usage: USAGE, parseOptions, judge, render, exitCode,
  measure: (options: Options, machine: MachineFacts) => measureSynth(options, machine, progress),
}, progress);
