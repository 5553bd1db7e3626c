import type { BenchFigures, PartFigures } from '../../../../tools/bench/report/figures.ts';
import type { LifecycleFigures, Load, PopulationFigures } from '../../../../tools/bench/population/measurements.ts';

/** Figures as a full run could find them, all goals met. They were not measured. */

const MIB = 1024 * 1024;
const machine = { processor: 'Test <1 | 2>', cores: 2, node: '24.0.0', load: 0.1 };
const spread = (p50: number, p99: number, max: number) => ({ p50, p99, max });

export function load(applications: number, changes: Partial<Load> = {}): Load {
  return {
    milliseconds: 60_000,
    cpu: { user: 8 * applications, system: applications },
    memory: { peak: 180 * MIB, median: 150 * MIB },
    eventLoopDelay: 22,
    eventLoopBlocked: 90,
    calls: { 'PUT sparkapplications/status': 4 * applications, 'POST pods': applications, 'POST events': 3 * applications },
    received: { 'watch pods': 90_000 * applications, 'list pods': 10_000 * applications },
    queue: { mean: 12.3, max: 700 },
    processors: [{ program: 'kube-apiserver', busy: 0.9, cpu: 90 * applications, memory: 3e9 }, { program: 'operator', busy: 0.4, cpu: 9 * applications, memory: 1e8 }, { program: 'etcd', busy: 0.3, cpu: 30 * applications, memory: 5e8 }],
    otherLoad: 0.01,
    stolen: 0,
    collections: [400, 600],
    lateness: 20,
    ...changes,
  };
}

export function lifecycle(applications: number, finished: number, changes: Partial<LifecycleFigures> = {}): LifecycleFigures {
  return {
    size: { applications, pods: applications * 6, finished },
    driverSeconds: 5,
    after: { created: applications * 5, submitted: applications * 20, running: applications * 25, completed: applications * 40 },
    toDriver: spread(applications * 10, applications * 19, applications * 20),
    lag: { all: spread(50, 900, 1500), running: spread(40, 800, 1500), ended: spread(60, 950, 1400) },
    load: load(applications),
    allCalls: 48 * applications,
    writes: { handOver: 1, status: 3.98, created: 3, deleted: 1, others: 0, events: 4 },
    executorsMissed: 0,
    atOnce: applications === 1000,
    ...changes,
  };
}

const size = { applications: 10_000, pods: 60_000, finished: 2000 };

const lag = (p99: number) => ({ all: spread(50, p99, p99 * 1.5), running: spread(40, p99 - 10, p99 * 1.5), ended: spread(60, p99, p99 * 1.4) });
const none = spread(NaN, NaN, NaN);

export const POPULATION: PopulationFigures = {
  machine,
  quick: false,
  executors: 5,
  workers: 10,
  nodes: 66,
  idleMemory: 70 * MIB,
  lifecycle: [lifecycle(100, 50), lifecycle(1000, 150)],
  pace: {
    size: { applications: 600, pods: 600, finished: 1150 }, perSecond: { wanted: 20, actual: 19.9 }, toDriver: spread(30, 120, 180),
    sinceDue: spread(40, 140, 200), lag: lag(60), probe: spread(3, 12, 40), load: load(600),
  },
  fill: [
    {
      size: { ...size, applications: 1000, pods: 6000 }, created: 1000, after: { created: 5000, submitted: 20_000, running: 25_000, whole: 30_000 },
      toDriver: spread(9000, 19_000, 20_000), lag: { ...lag(600), ended: none }, load: load(1000), allCalls: 40_000,
    },
    {
      size, created: 9000, after: { created: 50_000, submitted: 190_000, running: 200_000, whole: 250_000 },
      toDriver: spread(90_000, 150_000, 160_000), lag: { ...lag(800), ended: none }, load: load(9000), allCalls: 360_000,
    },
  ],
  steady: [{
    size, span: 300_000, churn: { executors: 20, applications: 2 }, toDriver: spread(30, 130, 200), lag: lag(400),
    executorLag: spread(4900, 5200, 5400), probe: spread(3, 15, 60), executorsUntold: 0, apiGarbage: { collections: 3, cpu: 1800 }, writesPerSecond: { status: 25, all: 40 },
    load: load(600, { milliseconds: 300_000, memory: { peak: 240 * MIB, median: 220 * MIB } }),
    series: { seconds: [10, 20, 30], memory: [210 * MIB, 220 * MIB, 221 * MIB], lagP99: [350, null, 410], probeP99: [12, 15, 14], statusWrites: [24, 26, 25] },
  }],
  restart: [{
    size, listening: 300, filled: 5000, firstReconcile: 5200, caughtUp: 9000, missed: { drivers: 20, told: 6000 }, cached: 70_000,
    load: load(0, { cpu: { user: 6000, system: 500 } }), settledMemory: 230 * MIB,
  }],
  failover: { size, leading: 12_000, caughtUp: 18_000, toDriver: 13_000, standbyMemory: 60 * MIB, leaseSeconds: 15 },
  drain: {
    size, after: { ended: 60_000, completed: 80_000 }, lag: { ...lag(900), running: none }, load: load(10_000, { cpu: { user: 5000, system: 500 }, received: { 'watch pods': 100_000_000 } }), allCalls: 100_000,
  },
  again: lifecycle(1000, 12_000),
  writes: { handOver: 1, status: 3.9, created: 3, deleted: 1, others: 0, events: 4 },
  watchCuts: 0,
  complaints: [],
  seconds: { lifecycle: 100 },
};

/** The bare client has a slow one and a quick one. */
const TURNS = [200, 288, ...Array.from({ length: 14 }, () => 240)];

export const SUBMISSION: PartFigures['submission'] = {
  machine, applications: 2000, workers: 10,
  cluster: {
    live: { cpu: { user: 2.2, system: 0.3 }, perSecond: 150, toDriver: spread(3000, 6000, 6100) },
    single: { cpu: { user: 3, system: 0.5 }, toDriver: spread(15, 40, 41) },
    operator: { perSecond: 180, cpu: 2.4, applications: 5760, turns: TURNS.map(() => 180) },
    bare: { perSecond: 240, cpu: 1.2, applications: 7680, turns: TURNS },
    calls: [{ call: 'POST pods', operator: 1, bare: 1, server: { operator: 1, bare: 1 } }],
    otherLoad: { live: 0, turns: 0 },
    complaints: [],
    jvm: { sparkVersion: '4.1.1', parallel: 2, perSecond: 0.4, runs: [4000, 4100, 4200], wholes: [4900, 5000, 5100] },
  },
};

export const SYNTH: PartFigures['synth'] = {
  machine,
  sizes: [10, 100, 1000, 10_000].map((applications) => ({
    applications, runs: [{ whole: 400 + 2 * applications, load: 300, construct: applications, write: applications, memory: 128 * MIB, size: 1500 * applications }],
  })),
};

export const NEIGHBOURS: PartFigures['neighbours'] = {
  machine, workers: 10,
  alone: { created: 60, toDriver: spread(20, 40, 50), toAnswer: spread(5, 10, 12) },
  creating: { created: 200, toDriver: spread(300, 800, 900), toAnswer: spread(50, 90, 95) },
  backlog: { created: 1000, toDriver: spread(100, 500, 600), toAnswer: spread(20, 30, 40) },
  whole: { created: 1200, toDriver: spread(150, 750, 900), toAnswer: spread(25, 80, 95) },
  flood: {
    created: 10_000, createdAfter: 100_000, doneAfter: 600_000, toDriver: spread(200_000, 490_000, 500_000),
    huge: { bytes: 1.3 * MIB, stored: 150, states: { FAILED: 75, SUBMITTED: 75 } },
  },
  load: load(10_000, { memory: { peak: 400 * MIB, median: 300 * MIB } }),
  watchCuts: 0,
  complaints: [],
};

/** A whole run, with changes. */
export function figures(changes: Partial<PartFigures> = {}, rest: Partial<BenchFigures> = {}): BenchFigures {
  const [day, version] = ['2026-03-01', '0123456789ab'];
  return {
    quick: false,
    profiled: false,
    machine: { processor: machine.processor, cores: 2, memory: 8 * 1024 * MIB, kernel: 'Linux 6.1', node: '24.0.0', kubernetes: 'v1.34.4', etcd: 'v3.6.4', kwok: 'v0.8.0', spark: '4.1.1' },
    parts: {
      submission: { day, seconds: 200, version, figures: { ...SUBMISSION, ...changes.submission } },
      population: { day, seconds: 1500, version, figures: { ...POPULATION, ...changes.population } },
      neighbours: { day, seconds: 900, version, figures: { ...NEIGHBOURS, ...changes.neighbours } },
      synth: { day, seconds: 100, version, figures: { ...SYNTH, ...changes.synth } },
    },
    failures: [],
    ...rest,
  };
}
