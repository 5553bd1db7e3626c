/*
 * The part of the benchmark that runs in the network of the cluster, where the API server is. A
 * program of its own; its parent sends the task and gets the figures.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../local-cluster/errors.ts';
import { ApiClient, inParallel } from '../api-client.ts';
import { NODE } from '../application.ts';
import { measureForParent, type Surroundings } from '../child-program.ts';
import { install } from '../installation.ts';
import type { Operator } from '../operator.ts';
import { startOperator } from '../passes.ts';
import { LoadMeter } from '../population/load-meter.ts';
import { Watch } from '../population/watch.ts';
import { hugeApplication, statesOfHuge, type Outcome } from './huge.ts';
import type { NeighboursRun } from './measurements.ts';
import { Tenant } from './tenant.ts';

export interface Task {
  readonly applications: number;
  readonly huge: number;
  readonly aloneSeconds: number;
  readonly workers: number;
  /** The operator's bundle. */
  readonly bundle: string;
}

const [FLOOD, QUIET] = ['bench-flood', 'bench-quiet'];

/** Calls of the flooding namespace at a time: enough to keep the API server busy. */
const CREATORS = 8;
/** Milliseconds from one creation of the quiet namespace to the next. */
const PACE = 500;
/** Applications of the quiet namespace before those that are measured: code is compiled by then. */
const WARM_UP = 50;
/** Seconds for one application of the flood, on a slow machine. */
const SECONDS_EACH = 0.15;
/** Milliseconds between two requests for the states of huge applications. */
const LOOK = 5_000;
/** Seconds for the last drivers of the quiet namespace. */
const PATIENCE = 60;

const secondsFor = ({ applications }: Task) => 300 + Math.ceil(applications * SECONDS_EACH);

measureForParent<Task, NeighboursRun>((task) => 300 + secondsFor(task), measure);

async function measure(task: Task, { folder, progress }: Surroundings): Promise<NeighboursRun> {
  progress('installing the operator');
  const installation = install([FLOOD, QUIET]);
  const admin = new ApiClient(installation.admin, 4);
  await admin.json('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } });
  const operator = startOperator({ ...task, folder, installation }, `${FLOOD},${QUIET}`);
  const flood = new Tenant(new ApiClient(installation.admin, CREATORS), FLOOD);
  const quiet = new Quiet(new ApiClient(installation.admin, CREATORS));
  let problem: Error | undefined;
  const check = () => {
    operator.cpu(); // throws when it is gone
    const error = problem ?? quiet.problem;
    if (error) throw error;
  };
  let watch: Watch | undefined;
  try {
    await operator.ready();
    watch = await Watch.open({
      admin, access: installation.admin, path: '/api/v1/pods', labelSelector: 'spark-role=driver', onEnd: (error) => { problem ??= error; },
      onChange({ object: { metadata: { namespace, labels } }, at }) {
        (namespace === FLOOD ? flood : quiet.tenant).seeDriver(labels['sparkoperator.k8s.io/app-name'], at);
      },
    });
    const figures = await run(task, { flood, quiet, operator, check, progress });
    return { ...figures, watchCuts: watch.cuts, complaints: operator.complaints };
  } finally {
    quiet.stop();
    watch?.close();
    await operator.stop();
  }
}

interface Cast {
  readonly flood: Tenant;
  readonly quiet: Quiet;
  readonly operator: Operator;
  /** Throws when something is gone that is needed. */
  readonly check: () => void;
  readonly progress: (text: string) => void;
}

type Measured = Omit<NeighboursRun, 'watchCuts' | 'complaints'>;

async function run(task: Task, { flood, quiet, operator, check, progress }: Cast): Promise<Measured> {
  const { tenant } = quiet;
  const wait = async (holds: () => boolean, seconds: number, what: () => string) => {
    for (const end = performance.now() + seconds * 1000; !holds(); await sleep(50)) {
      check();
      if (performance.now() > end) throw new ToolError([`after ${seconds} s ${what()}`, ...operator.complaints.slice(0, 3)].join('\n'));
    }
  };
  const drivers = ({ namespace, withDriver, created: all }: Tenant) => `only ${withDriver} of ${all} applications in ${namespace} have a driver`;
  const quietIsDone = () => wait(() => tenant.withDriver === tenant.created, PATIENCE, () => drivers(tenant));

  progress(`warming up with ${WARM_UP} applications`);
  for (let index = 0; index < WARM_UP; index++) await quiet.createOne();
  await quietIsDone();
  await operator.idle();

  progress(`one namespace alone, ${1000 / PACE} applications a second for ${task.aloneSeconds} s`);
  const began = performance.now();
  quiet.start();
  await sleep(task.aloneSeconds * 1000);
  check();
  const aloneUntil = performance.now();

  progress(`another one creates ${task.applications} applications, ${task.huge} of them huge`);
  const load = await LoadMeter.begin(operator);
  const floodBegan = performance.now();
  const names = Array.from({ length: task.applications }, (_, index) => `flood-${String(index).padStart(6, '0')}`);
  const outcomeOf = outcomesOf(task);
  const rejected = names.filter((name) => outcomeOf(name) === 'rejected').length;
  let stored = 0;
  await inParallel(names, CREATORS, async (name) => {
    check();
    const outcome = outcomeOf(name);
    if (!outcome) return flood.create(name);
    try {
      await flood.create(name, undefined, hugeApplication(FLOOD, name, outcome));
      stored++;
    } catch (error) {
      progress(`  ${name} was not stored: ${(error as Error).message.slice(0, 200)}`);
    }
  });
  const created = performance.now();
  progress(`  all are created, ${flood.withDriver} have a driver`);
  const seconds = secondsFor(task);
  await wait(() => flood.withDriver >= task.applications - rejected, seconds, () => drivers(flood));
  const states = await hugeStates(seconds, check);
  const done = performance.now();
  quiet.stop();
  await quietIsDone();
  const all = flood.between(-Infinity, Infinity);
  return {
    alone: tenant.between(began, aloneUntil),
    creating: tenant.between(floodBegan, created),
    backlog: tenant.between(created, done),
    whole: tenant.between(floodBegan, done),
    flood: {
      created: all.created, createdAfter: created - floodBegan, doneAfter: done - floodBegan, toDriver: all.toDriver,
      huge: { bytes: Buffer.byteLength(JSON.stringify(hugeApplication(FLOOD, names[0]!, 'rejected'))), stored, states },
    },
    load: await load.end(),
  };
}

/** Spreads the huge applications evenly over the others; every second one is run. */
function outcomesOf({ applications, huge }: Task): (name: string) => Outcome | undefined {
  return (name) => {
    const index = Number(/\d+$/.exec(name)![0]);
    const [before, after] = [index, index + 1].map((count) => Math.floor(count * huge / applications)) as [number, number];
    if (after === before) return undefined;
    return after % 2 === 0 ? 'run' : 'rejected';
  };
}

/** Waits until the operator has handled all huge applications, and returns their states. */
async function hugeStates(seconds: number, check: () => void): Promise<Record<string, number>> {
  for (const end = performance.now() + seconds * 1000; ; await sleep(LOOK)) {
    check();
    const states = statesOfHuge(FLOOD);
    if (states.New === undefined || performance.now() > end) return states;
  }
}

/** The quiet namespace: it creates applications at a steady pace, however long an answer takes. */
class Quiet {
  readonly tenant: Tenant;
  /** Why an application could not be created. */
  problem: Error | undefined;
  private count = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(client: ApiClient) {
    this.tenant = new Tenant(client, QUIET);
  }

  start(): void {
    let due = performance.now();
    const next = () => {
      void this.createOne(due).catch((error: Error) => { this.problem ??= error; });
      due += PACE;
      this.timer = setTimeout(next, Math.max(0, due - performance.now()));
    };
    next();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  createOne(due?: number): Promise<void> {
    return this.tenant.create(`quiet-${String(this.count++).padStart(6, '0')}`, due);
  }
}
