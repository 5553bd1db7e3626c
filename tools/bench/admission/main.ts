/**
 * How quickly the admission webhook answers, sent to the process that ships, on loopback. See USAGE for its flags. Progress goes to stderr, the report to
 * stdout.
 */
import { terminalProgress } from '../../local-cluster/index.ts';
import { runBenchmark } from '../benchmark.ts';
import { cpuOf, difference, peakMemoryOf, type MachineFacts } from '../machine.ts';
import { BareServer } from './bare.ts';
import { sendLoad } from './load.ts';
import type { Figures } from './measurements.ts';
import { parseOptions, USAGE, type Options } from './options.ts';
import { exitCode, judge, render } from './report.ts';
import { reviewKinds } from './reviews.ts';
import { WebhookServer } from './server.ts';

/** Seconds of load before it counts: until then the server's code is not compiled. */
const WARM_UP = 10;

/** Seconds of the same load on a bare server, and before that counts. */
const [BARE, BARE_WARM_UP] = [10, 2];

/** Reviews a second that the bare server gets while the webhook is measured: enough for a latency of 99 %, and hardly any work. */
const BESIDE = 50;

const progress = terminalProgress();

async function measure(options: Options, machine: MachineFacts): Promise<Figures> {
  const bareServer = await BareServer.start();
  try {
    return await measureBoth(options, machine, bareServer);
  } finally {
    await bareServer.stop();
  }
}

async function measureBoth({ seconds, rate }: Options, machine: MachineFacts, bareServer: BareServer): Promise<Figures> {
  const kinds = reviewKinds();
  const bare = await progress.step(`the same on a bare server for ${BARE} s`, async () => {
    await bareServer.measure(kinds, rate, BARE_WARM_UP);
    return bareServer.measure(kinds, rate, Math.min(BARE, seconds));
  });
  const server = await progress.step('starting the webhook', () => WebhookServer.start());
  try {
    await progress.step(`warm-up of ${WARM_UP} s`, () => sendLoad(server, kinds, rate, WARM_UP));
    const before = cpuOf(server.pid)!;
    const [load, beside] = await progress.step(`${rate} reviews a second for ${seconds} s`, () => Promise.all([
      sendLoad(server, kinds, rate, seconds), bareServer.measure(kinds, BESIDE, seconds),
    ]));
    return {
      machine, seconds, rate, load, bare, beside, cpu: difference(cpuOf(server.pid)!, before), memory: peakMemoryOf(server.pid)!,
      mixture: kinds.map(({ name, share, body }) => ({ name, share, bytes: body.length })),
    };
  } finally {
    await server.stop();
  }
}

await runBenchmark({ usage: USAGE, parseOptions, measure, judge, render, exitCode }, progress);
