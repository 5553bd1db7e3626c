import type { MachineFacts } from './machine.ts';
import { median, type CallFigures, type Figures, type ProfileFigures } from './measurements.ts';
import type { Spread } from './population/timeline.ts';

/** What is to be reached. */
export const GOALS = { cpuMs: 3, shareOfBareRate: 0.6, timesSparkSubmit: 150 } as const;

/** A processor that is busy with something else for more than this makes figures doubtful. */
export const MAX_OTHER_LOAD = 0.15;
/** A load average of more than this share of the processors, too. */
const MAX_LOAD = 0.25;
/** Calls for one application that differ by more are not the same calls. */
const MAX_DIFFERENCE = 0.02;

/** What the figures come to. */
export interface Verdict {
  /** CPU time of the operator for one submission, in milliseconds. */
  readonly cpuMs: number;
  readonly cpuMet: boolean;
  /** Rate of the operator as a share of the bare client's. */
  readonly share: number;
  readonly shareMet: boolean;
  /** Whether operator and bare client made the same calls. */
  readonly sameCalls: boolean;
  /** CPU time of Spark's JVM for one submission, in milliseconds. @default - was left out, as what follows */
  readonly jvmMs?: number;
  /** Rate of the operator as a multiple of that of spark-submit. */
  readonly times?: number;
  readonly timesMet?: boolean;
  /** Why the figures may be wrong. */
  readonly doubts: readonly string[];
}

/** Compares the figures with the goals, and says what speaks against them. */
export function judge({ machine, cluster }: Figures): Verdict {
  const { jvm } = cluster;
  const cpuMs = cluster.live.cpu.user + cluster.live.cpu.system;
  const share = cluster.operator.perSecond / cluster.bare.perSecond;
  const different = cluster.calls.filter(differs);
  return {
    cpuMs, cpuMet: cpuMs < GOALS.cpuMs, share, shareMet: share >= GOALS.shareOfBareRate,
    sameCalls: different.length === 0,
    ...(jvm && timesOf(cluster.operator.perSecond / jvm.perSecond, median(jvm.runs))),
    doubts: [
      ...doubtsAboutLoad(machine),
      ...Object.entries(cluster.otherLoad).filter(([, processors]) => processors > MAX_OTHER_LOAD)
        .map(([pass, processors]) => `other processes kept ${processors.toFixed(2)} processors busy in the pass "${pass}"`),
      ...different.map((calls) => `the calls differ: ${callRow(calls).join(' · ')}`),
      ...(cluster.complaints.length > 0 ? [`the operator complained ${cluster.complaints.length} times, first: ${cluster.complaints[0]}`] : []),
    ],
  };
}

function timesOf(times: number, jvmMs: number): Pick<Verdict, 'jvmMs' | 'times' | 'timesMet'> {
  return { jvmMs, times, timesMet: times >= GOALS.timesSparkSubmit };
}

/** What was running before the run. */
export function doubtsAboutLoad({ load, cores }: MachineFacts): string[] {
  return load > MAX_LOAD * cores ? [`the load average was ${load.toFixed(2)} at the start: something else was running`] : [];
}

/** The exit code of a run. Doubts do not count: they are about the machine, and stand in the report. */
export function exitCode({ cpuMet, shareMet, timesMet = true }: Verdict, { check }: { readonly check: boolean }): number {
  return check && !(cpuMet && shareMet && timesMet) ? 1 : 0;
}

/** Events are written by others, too: the controllers of the cluster have their own to tell. */
function differs({ call, operator, bare, server }: CallFigures): boolean {
  if (operator === 0 && bare === 0) return false;
  const most = call === 'POST events' ? Infinity : MAX_DIFFERENCE;
  const isOff = (own: number, counted: number) => counted - own > most || own - counted > MAX_DIFFERENCE;
  return Math.abs(operator - bare) > MAX_DIFFERENCE || isOff(operator, server.operator) || isOff(bare, server.bare);
}

/** A line of a report's table. */
export type Row = readonly [label: string, figure: string, goal?: string];

function callRow({ call, operator, bare, server }: CallFigures): Row {
  return [call, `${operator.toFixed(2)}, ${bare.toFixed(2)}`, `${server.operator.toFixed(2)}, ${server.bare.toFixed(2)}`];
}

/** Calls of the cluster's controllers in a sum: a Service makes them work. */
function others(calls: readonly CallFigures[]): Row {
  const sum = (of: 'operator' | 'bare') => calls.reduce((total, { server }) => total + server[of], 0).toFixed(2);
  return ["others, by the cluster's controllers", '', `${sum('operator')}, ${sum('bare')}`];
}

/** The report as people read it. */
export function render(figures: Figures): string {
  const { machine, cluster } = figures;
  const verdict = judge(figures);
  const { live, single, operator, bare, jvm } = cluster;
  const own = cluster.calls.filter((calls) => calls.operator > 0 || calls.bare > 0);
  const met = (isMet: boolean) => (isMet ? 'met' : 'NOT MET');
  const ms = (value: number) => value.toFixed(2);
  const spread = ({ p50, p99, max }: Spread) => [p50, p99, max].map((value) => value.toFixed(0)).join(', ');
  const perMinute = (perSecond: number) => (perSecond * 60).toFixed(perSecond < 10 ? 1 : 0);
  const rows: Row[] = [
    ['CPU time of one submission', 'ms', 'goal'],
    ['operator, many at once', ms(verdict.cpuMs), `< ${GOALS.cpuMs} ms: ${met(verdict.cpuMet)}`],
    ['  of it user, system', `${ms(live.cpu.user)}, ${ms(live.cpu.system)}`],
    ['operator, one after the other', ms(single.cpu.user + single.cpu.system)],
    ['operator, many at once, in turns with the bare client', ms(operator.cpu)],
    ['bare client, the same calls', ms(bare.cpu), `the operator takes ${(operator.cpu / bare.cpu).toFixed(2)} times as much`],
    jvm
      ? [`SparkSubmit ${jvm.sparkVersion}, default JVM options, ${jvm.runs.length} runs`, `${verdict.jvmMs!.toFixed(0)} (${Math.min(...jvm.runs).toFixed(0)} to ${Math.max(...jvm.runs).toFixed(0)})`, `${Math.round(verdict.jvmMs! / verdict.cpuMs)} times the operator's`]
      : ['SparkSubmit', 'left out'],
    ['', ''],
    ['Submissions a minute', '/min', 'goal'],
    ['operator, on applications that are there', perMinute(operator.perSecond), `>= ${GOALS.shareOfBareRate * 100} % of the bare client's: ${(verdict.share * 100).toFixed(0)} %, ${met(verdict.shareMet)}`],
    ['bare client, the same calls, in turns with it', perMinute(bare.perSecond)],
    jvm
      ? [`SparkSubmit ${jvm.sparkVersion}, default JVM options, ${jvm.parallel} at the same time`, perMinute(jvm.perSecond), `>= ${GOALS.timesSparkSubmit} times as many: ${verdict.times!.toFixed(0)}, ${met(verdict.timesMet!)}`]
      : ['SparkSubmit', 'left out'],
    ['operator, while applications are created', perMinute(live.perSecond)],
    ['', ''],
    ['From creation to driver Pod: p50, p99, max', 'ms'],
    ['many at once, as fast as the API server takes them', spread(live.toDriver)],
    ['one after the other', spread(single.toDriver)],
    ['', ''],
    ['Calls for one application', 'operator, bare client', 'the same by the API server\'s own count'],
    ...own.map(callRow),
    others(cluster.calls.filter((calls) => !own.includes(calls))),
  ];
  return [
    `${figures.applications} applications, ${figures.workers} at the same time, on ${machine.cores} × ${machine.processor}, Node ${machine.node}, load average ${machine.load.toFixed(2)}`,
    '',
    ...renderRows(rows),
    ...renderDoubts(verdict.doubts),
    ...renderProfile(cluster.profile),
  ].join('\n');
}

/** The lines of a table with aligned columns. */
export function renderRows(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const figureWidth = Math.max(...rows.map(([, figure]) => figure.length)) + 3;
  return rows.map(([label, figure, goal = '']) => `${label.padEnd(width)}${figure.padEnd(figureWidth)}${goal}`.trimEnd());
}

/** What speaks against the figures; nothing if nothing does. */
export function renderDoubts(doubts: readonly string[]): string[] {
  return doubts.flatMap((doubt, index) => [...(index === 0 ? ['', 'These figures are doubtful:'] : []), `  ${doubt}`]);
}

/** Where the operator's time goes, if it was taken apart. */
export function renderProfile(profile: ProfileFigures | undefined): string[] {
  if (!profile) return [];
  const lines = (items: readonly { readonly name: string; readonly share: number }[]) => items.map(({ name, share }) => `  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`);
  return [
    '', "Where the operator's time goes, by module (by the clock: what was interrupted by other processes looks dearer than it is):", ...lines(profile.modules),
    '', 'By function, without what it calls:', ...lines(profile.functions), '', `The profile, for the developer tools of Chrome: ${profile.file}`,
  ];
}
