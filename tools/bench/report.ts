import type { Goal } from './goal.ts';
import type { MachineFacts } from './machine.ts';
import { median, type CallFigures, type Figures, type ProfileFigures } from './measurements.ts';
import type { Spread } from './population/timeline.ts';
import { roundsOf, type Rounds } from './turn-figures.ts';

/** What is to be reached. */
export const GOALS = { cpuMs: 3, shareOfBareRate: 0.6, timesSparkSubmit: 150 } as const;

/** A processor that is busy with something else for more than this makes figures doubtful. */
export const MAX_OTHER_LOAD = 0.15;
/** A load average of more than this share of the processors, too. */
const MAX_LOAD = 0.25;
/** Calls for one application that differ by more are not the same calls. */
const MAX_DIFFERENCE = 0.02;
/** Events are written behind the rest, and by controllers of the cluster, too: a few are left at the end of the turns, and a few are not of those who take turns. */
const MAX_DIFFERENCE_OF_EVENTS = 0.15;
/** With fewer turns of each, chance says as much as the rates. */
const MIN_TURNS = 15;

/** What the figures come to. */
export interface Verdict {
  /** CPU time of the operator for one submission, in milliseconds. */
  readonly cpuMs: number;
  readonly cpuMet: boolean;
  /** Rate of the operator as a share of the bare client's. */
  readonly share: number;
  readonly shareMet: boolean;
  /** The same share, round by round. */
  readonly rounds: Rounds;
  /** Whether the bare client may be what the API server allows: nobody was quicker, in turns or without. */
  readonly isLimit: boolean;
  /** Whether operator and bare client made the same calls in their turns. */
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
export function judge(figures: Figures): Verdict {
  const { machine, cluster } = figures;
  const { jvm } = cluster;
  const cpuMs = cluster.live.cpu.user + cluster.live.cpu.system;
  const share = cluster.operator.perSecond / cluster.bare.perSecond;
  const rounds = roundsOf(cluster.operator, cluster.bare);
  const different = cluster.calls.filter((calls) => differs(calls, toleranceOf(figures)));
  return {
    cpuMs, cpuMet: cpuMs < GOALS.cpuMs, share, shareMet: share >= GOALS.shareOfBareRate,
    sameCalls: different.length === 0, rounds, isLimit: Math.max(cluster.operator.perSecond, cluster.live.perSecond) <= cluster.bare.perSecond,
    ...(jvm && timesOf(cluster.operator.perSecond / jvm.perSecond, median(jvm.runs))),
    doubts: [
      ...doubtsAboutLoad(machine),
      ...Object.entries(cluster.otherLoad).filter(([, processors]) => processors > MAX_OTHER_LOAD)
        .map(([pass, processors]) => `other processes kept ${processors.toFixed(2)} processors busy in the pass "${pass}"`),
      ...(share > 1 ? [`the operator was quicker than the bare client, at ${percentage(share)} of its rate: that client is not the limit, and how far the operator is from it is not known`] : []),
      ...(share <= 1 && cluster.live.perSecond > cluster.bare.perSecond
        ? [`while applications were created the operator was quicker (${(cluster.live.perSecond * 60).toFixed(0)} a minute) than the bare client in its turns (${(cluster.bare.perSecond * 60).toFixed(0)}): turns cost both of them something, and the limit of this API server is higher`] : []),
      ...(rounds.count < MIN_TURNS ? [`rates were compared in ${rounds.count} turns of each instead of ${MIN_TURNS}: too few to say more than about what they are`] : []),
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
  return load > MAX_LOAD * cores ? [`the load average was ${load.toFixed(2)} at the start: something else was running, or what the benchmark did just before`] : [];
}

/** The exit code of a run. Doubts do not count: they are about the machine, and stand in the report. */
export function exitCode({ cpuMet, shareMet, timesMet = true }: Verdict, { check }: { readonly check: boolean }): number {
  return check && !(cpuMet && shareMet && timesMet) ? 1 : 0;
}

/** What may be begun and not through when the turns begin or end: an application for each worker. */
function toleranceOf({ workers, cluster: { operator, bare } }: Figures): number {
  return MAX_DIFFERENCE + workers / Math.min(operator.applications, bare.applications);
}

/** The controllers of the cluster have events of their own to tell, for both alike. */
function differs({ call, operator, bare, server }: CallFigures, tolerance: number): boolean {
  if (operator === 0 && bare === 0) return false;
  if (Math.abs(operator - bare) > MAX_DIFFERENCE) return true;
  if (call === 'POST events') return Math.abs(server.operator - server.bare) > MAX_DIFFERENCE_OF_EVENTS || Math.min(server.operator - operator, server.bare - bare) < -MAX_DIFFERENCE_OF_EVENTS;
  return Math.abs(server.operator - operator) > tolerance || Math.abs(server.bare - bare) > tolerance;
}

function percentage(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
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
      ? [`SparkSubmit ${jvm.sparkVersion}, default JVM options, ${jvm.runs.length} runs`, `${verdict.jvmMs!.toFixed(0)} (${Math.min(...jvm.runs).toFixed(0)} to ${Math.max(...jvm.runs).toFixed(0)})`, `${Math.round(verdict.jvmMs! / operator.cpu)} times the operator's in turns`]
      : ['SparkSubmit', 'left out'],
    ['', ''],
    ['Submissions a minute', '/min', 'goal'],
    ['operator, on applications that are there', perMinute(operator.perSecond), `>= ${GOALS.shareOfBareRate * 100} % of the bare client's: ${percentage(verdict.share)}, ${met(verdict.shareMet)}`],
    [`  of it in ${verdict.rounds.count} rounds: least, middle, most`, [verdict.rounds.least, verdict.rounds.middle, verdict.rounds.most].map(percentage).join(', '), `${operator.applications} and ${bare.applications} applications`],
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
    ['Calls for one application', 'operator, bare client', 'the same in their turns, by the API server\'s own count'],
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

/** A goal, as a line of a report's table. */
export function goalRow({ what, goal, measured, met }: Goal): Row {
  return [what, measured, `${goal}: ${met ? 'met' : 'NOT MET'}`];
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
