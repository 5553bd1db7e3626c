import { doubtsAboutLoad, renderDoubts, renderRows, type Row } from '../report.ts';
import { GOAL, nextRate } from './goal.ts';
import { quantile, type Figures } from './measurements.ts';

const MIB = 1024 * 1024;

/** A sender that is later than this makes the figures doubtful. */
const MAX_LATENESS = 10;

/** What the figures come to. */
export interface Verdict {
  readonly p99Ms: number;
  /** The same of a server that does nothing but answer, and was asked for little in the same seconds. */
  readonly besideP99Ms: number;
  /** Milliseconds of CPU time of a review, and of one that is only answered: how fast the machine is at the time. */
  readonly cpuMs: number;
  readonly bareCpuMs: number;
  /** Reviews a second that the machine can be asked for next if it did not make these. */
  readonly nextRate: number;
  readonly failures: number;
  readonly met: boolean;
  /** Why the figures may be wrong. */
  readonly doubts: readonly string[];
}

/** Compares the figures with the goal, and says what speaks against them. */
export function judge({ machine, rate, load: { sent, latencies, failures: byReason, senderLateness }, cpu, bare, beside }: Figures): Verdict {
  const p99Ms = quantile(latencies, 0.99);
  const bareCpuMs = (bare.cpu.user + bare.cpu.system) / bare.sent;
  const failures = Object.values(byReason).reduce((sum, count) => sum + count, 0);
  return {
    p99Ms,
    besideP99Ms: quantile(beside.latencies, 0.99),
    cpuMs: (cpu.user + cpu.system) / sent,
    bareCpuMs,
    nextRate: nextRate(rate, bareCpuMs),
    failures,
    met: p99Ms < GOAL.p99Ms && failures === 0,
    doubts: [
      ...doubtsAboutLoad(machine),
      ...(senderLateness > MAX_LATENESS ? [`the sender was up to ${senderLateness.toFixed(0)} ms late itself, which counts as latency here`] : []),
    ],
  };
}

/** The exit code of a run. Doubts do not count: they are about the machine, and stand in the report. */
export function exitCode({ met }: Verdict, { check }: { readonly check: boolean }): number {
  return check && !met ? 1 : 0;
}

/** The report as people read it. */
export function render(figures: Figures): string {
  const { machine, seconds, rate, load: { sent, latencies, failures }, memory, mixture } = figures;
  const verdict = judge(figures);
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const rows: Row[] = [
    ['reviews', String(sent), `${rate} a second for ${seconds} s`],
    ['failures', String(verdict.failures), `none: ${verdict.failures === 0 ? 'met' : 'NOT MET'}`],
    ...Object.entries(failures).map(([reason, count]): Row => [`  ${reason}`, String(count)]),
    ['latency, median', ms(quantile(latencies, 0.5))],
    ['latency, 99 %', ms(verdict.p99Ms), `< ${GOAL.p99Ms} ms: ${verdict.p99Ms < GOAL.p99Ms ? 'met' : 'NOT MET'}`],
    ['latency, greatest', ms(latencies.at(-1) ?? NaN)],
    ['a server that does nothing but answer, beside it, 99 %', ms(verdict.besideP99Ms), 'what the machine itself kept both waiting'],
    ['CPU time of a review', `${verdict.cpuMs.toFixed(2)} ms`],
    ['CPU time of a review that is only answered', `${verdict.bareCpuMs.toFixed(2)} ms`, `after a miss, try ${verdict.nextRate} reviews a second`],
    ['peak memory of the server', `${(memory / MIB).toFixed(0)} MiB`],
    ['', ''],
    ['what was sent', 'KiB', 'share'],
    ...mixture.map(({ name, share, bytes }): Row => [name, (bytes / 1024).toFixed(1), `${(share * 100).toFixed(0)} %`]),
  ];
  return [
    'The admission webhook, started as its Deployment does, on loopback; latencies count from when a review was due',
    `on ${machine.cores} × ${machine.processor}, Node ${machine.node}, load average ${machine.load.toFixed(2)}`,
    '',
    ...renderRows(rows),
    ...renderDoubts(verdict.doubts),
  ].join('\n');
}
