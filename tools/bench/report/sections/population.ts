import type { FillFigures, LifecycleFigures, Load, PopulationFigures, WriteFigures } from '../../population/measurements.ts';
import { exactly, kibibytes, mebibytes, minutes, number, short, spread, time } from '../format.ts';
import { cpuEach } from '../costs.ts';
import { paragraph, table } from '../markdown.ts';
import { show, type Plot } from '../plots.ts';
import { profileLines } from './profile.ts';

/** Applications with nodes: lifecycle, pace, steady state, restart, failover. */
export function populationSections(figures: PopulationFigures, plots: readonly Plot[]): string[] {
  const { nodes, executors, workers, profiles = {} } = figures;
  return [
    '## Lifecycle', '',
    ...paragraph(
      `One control plane, one operator with ${workers} workers, ${nodes} simulated nodes; each application has ${executors} executors.`,
      'The nodes are played by kwok, and by the benchmark what kubelets do with pods, which run after 0.5 to 1.5 s, and the drivers: one that runs creates its executors as Spark does, deletes them, and ends.',
      'There is no kube-scheduler, which is not what is measured and took up to a fifth of the processors: the benchmark binds drivers by the same call, and executors are created with a node.',
    ),
    ...lifecycleTable(figures),
    ...paragraph(
      'Rates and times count from the first creation. "Read" is what the operator received from the API server, watches included. Calls by anybody are a floor: what kubelets write besides, bindings of executors, events of a scheduler, endpoints and the collection of garbage do not happen here.',
      'With pods that run, the machine submits fewer a minute than without nodes: the API server also serves kubelets, drivers and who binds them. What a bare client would come to here was not measured. The greatest size is the population below; what it costs from creation to COMPLETED stands under Growth.',
    ),
    ...writesParagraphs(figures),
    ...profileLines(profiles.lifecycle, 'lifecycle'),
    ...fillSection(figures),
    ...paceSection(figures),
    ...steadySection(figures, plots),
    ...profileLines(profiles.steady, 'steady state'),
    ...restartSection(figures, plots),
    ...profileLines(profiles.restart, 'restart'),
  ];
}

/** Of a span of time, for so many applications. */
function perApplication(load: Load, applications: number) {
  return { cpu: (load.cpu.user + load.cpu.system) / applications, calls: sum(load.calls) / applications, read: sum(load.received) / applications };
}

function lateness({ eventLoopDelay, eventLoopBlocked }: Load): string {
  return `${time(eventLoopDelay)} · ${time(eventLoopBlocked)}`;
}

function queueOf({ queue: { mean, max } }: Load): string {
  return `${short(mean)}, ${number(max)}`;
}

/** How often all garbage was collected at once, and the longest of it. */
function collectionsOf({ collections }: Load): string {
  return collections.length === 0 ? 'never' : `${number(collections.length)}, ${time(Math.max(...collections))}`;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function lifecycleTable({ lifecycle, again }: PopulationFigures): string[] {
  const columns = [...lifecycle, again];
  const row = (label: string, of: (one: LifecycleFigures) => string) => [label, ...columns.map(of)];
  return table(['created at once', ...lifecycle.map(({ size }) => number(size.applications)), `${number(again.size.applications)} beside ${number(again.size.finished)} finished`], [
    row('all created · with driver · COMPLETED after', ({ after }) => [after.created, after.submitted, after.completed].map(time).join(' · ')),
    row('drivers run for; executors end', ({ driverSeconds, atOnce }) => `${exactly(short(driverSeconds))} s; ${atOnce ? 'at once' : 'with grace'}`),
    row('submitted · COMPLETED a minute', ({ size, after }) => [after.submitted, after.completed].map((end) => short(size.applications * 60_000 / end)).join(' · ')),
    row('creation to driver: p50 · p99 · max', ({ toDriver }) => spread(toDriver)),
    row('status lag: p50 · p99 · max', ({ lag }) => spread(lag.all)),
    row('  that a driver runs', ({ lag }) => spread(lag.running)),
    row('  that it has ended', ({ lag }) => spread(lag.ended)),
    row('CPU time for one', (one) => time(cpuEach(one))),
    row('calls for one, by anybody', ({ size, load, allCalls }) => `${number(sum(load.calls) / size.applications, 1)}, ${number(allCalls / size.applications, 1)}`),
    row('status writes for one, and the one that hands it over', ({ writes }) => `${number(writes.status, 2)}, ${number(writes.handOver, 2)}`),
    row('other writes: created, deleted, others, events', ({ writes }) => writeText(writes)),
    row('read for one', ({ size, load }) => kibibytes(sum(load.received) / size.applications)),
    row('memory: median, most so far', ({ load }) => `${mebibytes(load.memory.median)}, ${mebibytes(load.memory.peak)}`),
    row('event loop late by: p99 · max', ({ load }) => lateness(load)),
    row('queue: mean, most', ({ load }) => queueOf(load)),
  ]);
}

function writeText({ created, deleted, others, events }: WriteFigures): string {
  return [created, deleted, others, events].map((count) => number(count, 2)).join(', ');
}

/** What counts as which write. */
function writesParagraphs({ lifecycle, executors }: PopulationFigures): string[] {
  const seconds = [...new Set(lifecycle.map(({ driverSeconds }) => `${exactly(short(driverSeconds))} s`))].join(', ');
  return paragraph(
    'The first write of the status of an attempt is the intent, which hands the application over to the operator before anything is created; it is counted by itself, as are the writes that create an object, one each,',
    'and the deletions of what is of no use after the end: the Service of the web UI.',
    `The others are SUBMITTED, RUNNING, the executors and COMPLETED. Drivers that run for ${seconds} end before changes of their ${executors} executors, which are gathered for five seconds, are always written by themselves:`,
    'then COMPLETED tells of those that still exist or were written before, and a lifecycle has up to one status write less than the population. Executors that come and go within these five seconds may be in no status; the doubts count them.',
  );
}

function fillSection({ fill, drain, writes }: PopulationFigures): string[] {
  if (fill.length === 0) return [];
  const row = (label: string, of: (one: FillFigures) => string) => [label, ...fill.map(of)];
  return [
    '### The population', '',
    ...paragraph('Applications are created as fast as the API server takes them, on top of those that run, until all run with all their executors; at the end all drivers end.'),
    ...table(['up to', ...fill.map(({ size }) => `${number(size.applications)} running, ${number(size.pods)} pods`)], [
      row('created here', ({ created }) => number(created)),
      row('all created · with driver · RUNNING · with executors after', ({ after }) => [after.created, after.submitted, after.running, after.whole].map(time).join(' · ')),
      row('submitted a minute', ({ created, after }) => short(created * 60_000 / after.submitted)),
      row('creation to driver: p50 · p99 · max', ({ toDriver }) => spread(toDriver)),
      row('status lag: p50 · p99 · max', ({ lag }) => spread(lag.running)),
      row('CPU time for one', ({ created, load }) => time(perApplication(load, created).cpu)),
      row('calls for one, by anybody', ({ created, load, allCalls }) => `${number(perApplication(load, created).calls, 1)}, ${number(allCalls / created, 1)}`),
      row('read for one', ({ created, load }) => kibibytes(perApplication(load, created).read)),
      row('memory: median, most so far', ({ load }) => `${mebibytes(load.memory.median)}, ${mebibytes(load.memory.peak)}`),
      row('event loop late by: p99 · max', ({ load }) => lateness(load)),
    ]),
    ...paragraph(
      `When all drivers of ${number(drain.size.applications)} applications end, which takes ${time(drain.after.ended)}, the last is COMPLETED after ${time(drain.after.completed)}; status lag ${spread(drain.lag.ended)} (p50 · p99 · max), ${time(cpuEach(drain))} of CPU time for one. The benchmark ends eight drivers at a time: the rate is its own.`,
      `From creation to COMPLETED, the time of churn aside: ${number(writes.status, 2)} status writes for one application, ${number(writes.handOver, 2)} that hand it over, and ${writeText(writes)} other writes (created, deleted, others, events).`,
    ),
  ];
}

function paceSection({ workers, pace: { size, perSecond, toDriver, sinceDue, lag, probe, load } }: PopulationFigures): string[] {
  return [
    '## Pace', '',
    ...paragraph(`Applications that come at a fixed rate, whether or not the operator can follow: ${exactly(short(perSecond.wanted))} a second wanted, ${number(perSecond.actual, 1)} came, ${number(size.applications)} in all. They are drivers alone, without executors, and nothing else runs: the population comes after them. Beside it, creation to driver is in the steady state.`),
    ...table(['', ''], [
      ['creation to driver: p50 · p99 · max', spread(toDriver)],
      ['the same from when it was due, creation included', spread(sinceDue)],
      ['status lag: p50 · p99 · max', spread(lag.all)],
      ['a write of the benchmark itself: p50 · p99 · max', spread(probe)],
      ['CPU time for one', time(cpuEach({ size, load }))],
      ['processors of the operator', number((load.cpu.user + load.cpu.system) / load.milliseconds, 2)],
      ['event loop late by: p99 · max', lateness(load)],
      ['queue: mean, most', queueOf(load)],
    ]),
    ...paragraph(`An application waits in the queue until one of the ${number(workers)} workers is free, and a worker is busy until the calls of its application are answered. The queue is looked at every 15 s and at the end: its mean is of few looks. The benchmark itself writes a small object ten times a second: when that takes long, the calls of an operator can hardly be faster.`),
  ];
}

function steadySection({ steady }: PopulationFigures, plots: readonly Plot[]): string[] {
  if (steady.length === 0) return [];
  const row = (label: string, of: (one: PopulationFigures['steady'][number]) => string) => [label, ...steady.map(of)];
  return [
    '## Steady state', '',
    ...paragraph('All applications run; executors are deleted and made anew, and a few applications end and others come. What is said of a second is of the time of this churn.'),
    ...table(['', ...steady.map(({ size }) => `${number(size.applications)} applications, ${number(size.pods)} pods`)], [
      row('churn for; until all of it was told', ({ span, load }) => `${minutes(span / 1000)}; ${minutes(load.milliseconds / 1000)}`),
      row('executors replaced, applications replaced, a second', ({ churn }) => `${number(churn.executors, 1)}, ${number(churn.applications, 1)}`),
      row('status lag of drivers: p50 · p99 · max', ({ lag }) => spread(lag.all)),
      row('status lag of executors: p50 · p99 · max', ({ executorLag }) => spread(executorLag)),
      row('creation to driver: p50 · p99 · max', ({ toDriver }) => spread(toDriver)),
      row('a write of the benchmark itself: p50 · p99 · max', ({ probe }) => spread(probe)),
      row('the API server collects its own garbage: times, CPU time', ({ apiGarbage }) => `${number(apiGarbage.collections)}, ${time(apiGarbage.cpu)}`),
      row('writes a second: of statuses, of all', ({ writesPerSecond }) => `${number(writesPerSecond.status, 1)}, ${number(writesPerSecond.all, 1)}`),
      row('processors of the operator', ({ load, span }) => number((load.cpu.user + load.cpu.system) / span, 2)),
      row('read a second', ({ load, span }) => kibibytes(sum(load.received) * 1000 / span)),
      row('memory: median, most so far', ({ load }) => `${mebibytes(load.memory.median)}, ${mebibytes(load.memory.peak)}`),
      row('event loop late by: p99 · max', ({ load }) => lateness(load)),
      row('all garbage collected at once: times, longest', ({ load }) => collectionsOf(load)),
      row('queue: mean, most', ({ load }) => queueOf(load)),
    ]),
    ...paragraph('While all garbage is collected at once nothing else happens in the operator ([why it does that](../docs/decisions/0023-lists-and-memory.md)).'),
    ...show(plots, 'status-lag', 'steady-memory', 'steady-lag', 'steady-writes'),
  ];
}

function restartSection({ restart, failover }: PopulationFigures, plots: readonly Plot[]): string[] {
  const row = (label: string, of: (one: PopulationFigures['restart'][number]) => string) => [label, ...restart.map(of)];
  return [
    '## Restart and failover', '',
    ...(restart.length === 0 ? [] : table(['from the start of the process until', ...restart.map(({ size }) => `${number(size.applications)} applications, ${number(size.pods)} pods`)], [
      row('it serves health and metrics', ({ listening }) => time(listening)),
      row('its caches are filled', ({ filled, cached }) => `${time(filled)} (${number(cached)} objects)`),
      row('a first namespace is at work: its applications are looked at', ({ firstReconcile }) => time(firstReconcile)),
      row('**nothing waits any more**', ({ caughtUp }) => `**${time(caughtUp)}**`),
      row('drivers that ended meanwhile, until the last is in its status', ({ missed }) => `${number(missed.drivers)}, ${time(missed.told)}`),
      row('CPU time', ({ load }) => time(load.cpu.user + load.cpu.system)),
      row('most memory; the 15 seconds after, in the middle', ({ load, settledMemory }) => `${mebibytes(load.memory.peak)}; ${mebibytes(settledMemory)}`),
      row('read', ({ load }) => mebibytes(sum(load.received))),
    ])),
    ...show(plots, 'restart'),
    ...(restart.length === 0 ? [] : paragraph("The operator was ended in order, and its process started at once: what a cluster needs to start a container, and after a crash the rest of its Lease, come on top. It ran without a container's limits.")),
    ...paragraph(
      `Failover, with ${number(failover.size.applications)} applications: the leader is killed, and its Lease lasts ${exactly(short(failover.leaseSeconds))} s. After ${time(failover.leading)} the other one leads, after ${time(failover.caughtUp)} nothing waits any more;`,
      `an application that was created at the moment of the kill has its driver after ${time(failover.toDriver)}. Standing by takes ${mebibytes(failover.standbyMemory)}.`,
    ),
  ];
}
