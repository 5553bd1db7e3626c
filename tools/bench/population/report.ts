import { goalRow, renderDoubts, renderProfile, renderRows, type Row } from '../report.ts';
import { loads } from './doubts.ts';
import { judge } from './goals.ts';
import type { FillFigures, LifecycleFigures, Load, PopulationFigures, RestartFigures, SteadyFigures, WriteFigures } from './measurements.ts';
import type { Spread } from './timeline.ts';

const MIB = 1024 * 1024;

/** The report as people read it. */
export function render(figures: PopulationFigures): string {
  const { machine, executors, workers, nodes, complaints } = figures;
  const verdict = judge(figures);
  const rows: Row[] = [
    ['Goals', '', 'goal'],
    ...verdict.goals.map(goalRow),
    ...figures.lifecycle.flatMap(lifecycleRows),
    ...lifecycleRows(figures.again),
    ...section('Applications one after the other', figures.pace.size),
    ['a second', figures.pace.perSecond.actual.toFixed(1)],
    ['creation to driver', spread(figures.pace.toDriver)],
    ['from when it was due to driver', spread(figures.pace.sinceDue)],
    ['status lag', spread(figures.pace.lag.all)],
    ['a write of the benchmark itself', spread(figures.pace.probe)],
    ...loadRows(figures.pace.load, figures.pace.size.applications),
    ...figures.fill.flatMap(fillRows),
    ...figures.steady.flatMap(steadyRows),
    ...figures.restart.flatMap(restartRows),
    ...section('Failover', figures.failover.size),
    ['killed, until the other one leads, has caught up', [figures.failover.leading, figures.failover.caughtUp].map(seconds).join(', '), `a Lease lasts ${figures.failover.leaseSeconds} s`],
    ['until a new application has a driver', seconds(figures.failover.toDriver)],
    ['memory of the one that stands by', mib(figures.failover.standbyMemory)],
    ...section('Drivers end', figures.drain.size),
    ['after: all ended, completed', [figures.drain.after.ended, figures.drain.after.completed].map(seconds).join(', ')],
    ['status lag', spread(figures.drain.lag.all)],
    ...loadRows(figures.drain.load, figures.drain.size.applications),
    ['', ''],
    ['Writes for an application of the population', writes(figures.writes)],
    ['', ''],
    ['Processors kept busy', ''],
    ...loads(figures).map(([phase, { processors }]): Row => [phase, processors.reduce((total, { busy }) => total + busy, 0).toFixed(2), processors.map(({ program, busy }) => `${program} ${busy.toFixed(2)}`).join(', ')]),
    ['', ''],
    ['Seconds that each phase took', sum(figures.seconds).toFixed(0), Object.entries(figures.seconds).map(([phase, time]) => `${phase} ${time}`).join(', ')],
  ];
  return [
    `Applications with ${executors} executors on ${nodes} simulated nodes, executors being created with a node; ${workers} workers`,
    `on ${machine.cores} × ${machine.processor}, Node ${machine.node}, load average ${machine.load.toFixed(2)}`,
    '',
    ...renderRows(rows),
    ...renderDoubts(verdict.doubts),
    ...(complaints.length > 0 ? ['', 'What the operator complained about first:', ...complaints.slice(0, 3).map((line) => `  ${line}`)] : []),
    ...Object.entries(figures.profiles ?? {}).flatMap(([phase, profile]) => ['', `Profile: ${phase}`, ...renderProfile(profile)]),
  ].join('\n');
}

function section(title: string, { applications, pods, finished }: { readonly applications: number; readonly pods: number; readonly finished: number }): Row[] {
  return [['', ''], [`${title}: ${applications}`, '', `${pods} pods, ${finished} finished applications`]];
}

function lifecycleRows({ size, after, toDriver, lag, load, allCalls, writes: written }: LifecycleFigures): Row[] {
  return [
    ...section('Lifecycle', size),
    ['after: all created, submitted, running, completed', [after.created, after.submitted, after.running, after.completed].map(seconds).join(', ')],
    ['submitted, completed a minute', [after.submitted, after.completed].map((time) => (size.applications * 60_000 / time).toFixed(0)).join(', ')],
    ['creation to driver', spread(toDriver)],
    ['status lag', spread(lag.all)],
    ...loadRows(load, size.applications),
    ['calls for each by anybody', (allCalls / size.applications).toFixed(1)],
    ['writes for each', writes(written)],
  ];
}

function fillRows({ size, created, after, toDriver, lag, load, allCalls }: FillFigures): Row[] {
  return [
    ...section('Population', size),
    [`after: ${created} created, submitted, running, with all executors`, [after.created, after.submitted, after.running, after.whole].map(seconds).join(', ')],
    ['with all executors a minute', (created * 60_000 / after.whole).toFixed(0)],
    ['creation to driver', spread(toDriver)],
    ['status lag', spread(lag.running)],
    ...loadRows(load, created),
    ['calls for each by anybody', (allCalls / created).toFixed(1)],
  ];
}

function steadyRows({ size, churn, toDriver, lag, executorLag, probe, apiGarbage, writesPerSecond, load }: SteadyFigures): Row[] {
  const time = load.milliseconds / 1000;
  return [
    ...section('Steady', size),
    ['executors, applications that come and go a second', `${churn.executors.toFixed(1)}, ${churn.applications.toFixed(1)}`],
    ['creation to driver', spread(toDriver)],
    ['status lag', spread(lag.all)],
    ['from an executor to the status', spread(executorLag)],
    ['a write of the benchmark itself', spread(probe)],
    ['the API server collects its own garbage: times, CPU time', `${apiGarbage.collections}, ${seconds(apiGarbage.cpu)}`],
    ['writes a second: of statuses, all', `${writesPerSecond.status.toFixed(1)}, ${writesPerSecond.all.toFixed(1)}`],
    ['processors that the operator keeps busy', ((load.cpu.user + load.cpu.system) / load.milliseconds).toFixed(3)],
    ['received a second', `${(sum(load.received) / time / 1024).toFixed(0)} KiB`, greatest(load.received, 1024 * time, 0)],
    ...commonRows(load),
  ];
}

function restartRows({ size, listening, firstReconcile, filled, caughtUp, missed, cached, load, settledMemory }: RestartFigures): Row[] {
  return [
    ...section('Restart', size),
    ['from the start: serves health, first namespace at work, caches filled, caught up', [listening, firstReconcile, filled, caughtUp].map(seconds).join(', '), `${cached} objects`],
    [`${missed.drivers} drivers that ended meanwhile are told`, seconds(missed.told)],
    ['CPU time', seconds(load.cpu.user + load.cpu.system)],
    ['received', `${(sum(load.received) / MIB).toFixed(0)} MiB`, greatest(load.received, MIB, 0)],
    ...commonRows(load),
    ['memory afterwards', mib(settledMemory)],
  ];
}

/** What one application took. */
function loadRows(load: Load, applications: number): Row[] {
  return [
    ['CPU time for each', `${((load.cpu.user + load.cpu.system) / applications).toFixed(2)} ms`, `user ${(load.cpu.user / applications).toFixed(2)}, system ${(load.cpu.system / applications).toFixed(2)}`],
    ['calls for each', (sum(load.calls) / applications).toFixed(2), greatest(load.calls, applications, 2)],
    ['received for each', `${(sum(load.received) / applications / 1024).toFixed(0)} KiB`, greatest(load.received, 1024 * applications, 0)],
    ...commonRows(load),
  ];
}

function commonRows({ memory, eventLoopDelay, eventLoopBlocked, queue }: Load): Row[] {
  return [
    ['memory, in the middle, peak', [memory.median, memory.peak].map(mib).join(', ')],
    ['event-loop delay, p99, max', `${eventLoopDelay.toFixed(0)}, ${eventLoopBlocked.toFixed(0)} ms`],
    ['queue, mean, max', `${queue.mean.toFixed(0)}, ${queue.max}`],
  ];
}

function writes(figures: WriteFigures): string {
  const words = { handOver: 'to hand over', status: 'status', created: 'created', deleted: 'deleted', others: 'others', events: 'events' } as const;
  return Object.entries(words).map(([kind, word]) => `${word} ${figures[kind as keyof WriteFigures].toFixed(2)}`).join(', ');
}

/** Counts, greatest first, without those that are next to nothing. */
function greatest(counts: Readonly<Record<string, number>>, unit: number, digits: number): string {
  return Object.entries(counts).map(([key, count]) => [key, (count / unit).toFixed(digits)] as const)
    .filter(([, text]) => Number(text) > 0).sort(([, a], [, b]) => Number(b) - Number(a)).map(([key, text]) => `${key} ${text}`).join(', ');
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function spread({ p50, p99, max }: Spread): string {
  return `${[p50, p99, max].map(seconds).join(', ')} (p50, p99, max)`;
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(0)} MiB`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 9_995 ? 2 : 1)} s`;
}
