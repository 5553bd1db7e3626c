/*
 * The part of the benchmark that runs in the network of the cluster, where the API server is. A program of its own; its parent sends what to do and
 * gets the figures.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ApiClient } from '../api-client.ts';
import { callsBetween, countCalls } from '../api-counts.ts';
import { measureForParent, type Surroundings } from '../child-program.ts';
import { install } from '../installation.ts';
import { busyProcessors, difference, peakMemoryOf, usage } from '../machine.ts';
import type { Operator } from '../operator.ts';
import { appears, startOperator } from '../passes.ts';
import type { LifecycleFigures } from './measurements.ts';
import { nodesFor, SimulatedNodes } from './nodes.ts';
import { loadByProgram } from './processors.ts';
import { QueueDepth } from './queue-depth.ts';
import { NAMESPACE, Stage } from './stage.ts';
import { spreadOf } from './timeline.ts';

export interface Task {
  readonly applications: number;
  readonly executors: number;
  readonly driverSeconds: number;
  readonly startSeconds: number;
  readonly workers: number;
  readonly warmUp: number;
  /** In seconds. */
  readonly deadline: number;
  /** The operator's bundle. */
  readonly bundle: string;
  /** The path of kwok. */
  readonly kwok: string;
  /** Where to put a CPU profile of the operator. @default - none is made */
  readonly profile?: string;
}

/** By then the applications of the warm-up have to be through. */
const WARM_UP_SECONDS = 60;
const WARM_UP_PACE = { driverSeconds: 3, startSeconds: 1 };
/** What else there is besides the part that has the deadline. */
const AROUND_SECONDS = 240;

measureForParent<Task, LifecycleFigures>(({ deadline }) => deadline + AROUND_SECONDS, measure);

async function measure(task: Task, { folder, progress }: Surroundings): Promise<LifecycleFigures> {
  progress('installing the operator');
  const installation = install([NAMESPACE]);
  const admin = new ApiClient(installation.admin, 32);
  const nodes = await SimulatedNodes.start(admin, task.kwok, folder, nodesFor(task.applications * (1 + task.executors)));
  const operator = startOperator({ ...task, folder, installation }, NAMESPACE, undefined, task.profile);
  const stage = new Stage({ executors: task.executors, access: installation.admin, admin, operator, nodes });
  try {
    await operator.ready();
    const idle = peakMemoryOf(operator.pid)!;
    await stage.open();
    progress(`warming up with ${task.warmUp} applications`);
    await stage.run(0, task.warmUp, WARM_UP_PACE, WARM_UP_SECONDS);
    await operator.idle();
    progress(`${task.applications} applications at once`);
    return { ...await measured(task, admin, operator, stage), nodes: nodes.count, memory: { idle, peak: peakMemoryOf(operator.pid)! } };
  } finally {
    stage.close();
    await operator.stop();
  }
}

async function measured(
  { applications, executors, warmUp, deadline, profile, ...pace }: Task, admin: ApiClient, operator: Operator, stage: Stage,
): Promise<Omit<LifecycleFigures, 'nodes' | 'memory'>> {
  const [ownBefore, callsBefore, usageBefore, cpuBefore] = [await operator.calls(), await countCalls(admin), usage(), operator.cpu()];
  const lateness = monitorEventLoopDelay({ resolution: 10 });
  const queue = new QueueDepth(operator);
  if (profile) operator.signal('SIGUSR2');
  lateness.enable();
  const { began, created, timeline } = await stage.run(warmUp, applications, pace, deadline);
  lateness.disable();
  const depth = queue.stop();
  const usageAfter = usage();
  // What it writes behind the status, such as events.
  await operator.idle();
  const { user, system } = difference(operator.cpu(), cpuBefore);
  if (profile) {
    operator.signal('SIGUSR2');
    await appears(profile);
  }
  const [running, ended] = [timeline.between('driverRunning', 'running'), timeline.between('driverEnded', 'ended')];
  return {
    creation: created - began,
    submission: timeline.last('submitted') - began,
    whole: timeline.last('completed') - began,
    toDriver: spreadOf(timeline.between('created', 'driver')),
    lag: { all: spreadOf([...running, ...ended]), running: spreadOf(running), ended: spreadOf(ended) },
    cpu: { user: user / applications, system: system / applications },
    calls: Object.fromEntries(callsBetween(ownBefore, await operator.calls(), applications)),
    allCalls: [...callsBetween(callsBefore, await countCalls(admin), applications).values()].reduce((sum, count) => sum + count, 0),
    queue: depth,
    processors: loadByProgram(usageBefore, usageAfter, { [operator.pid]: 'operator', [process.pid]: 'benchmark' }),
    otherLoad: busyProcessors(usageBefore, usageAfter).others,
    lateness: lateness.percentile(99) / 1e6,
    watchCuts: stage.cuts,
    executorsMissed: applications * executors - await stage.executorsRecorded(warmUp, applications),
    complaints: operator.complaints,
  };
}
