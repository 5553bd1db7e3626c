import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '../api-client.ts';
import type { Context } from '../context.ts';
import { callsForOne, spreadOf, type Busy, type Figures } from '../figures.ts';
import { measureLoad, type Load } from '../load.ts';
import type { Operator } from '../operator.ts';
import { nodesFor, startNodes } from '../population/nodes.ts';
import { NAMESPACES, Stage } from '../population/stage.ts';
import type { Timeline } from '../timeline.ts';

export { NAMESPACES };

const SIZES = {
  full: { warmUp: 50, lifecycle: 300, fill: [1_000, 10_000], steadySeconds: 300 },
  quick: { warmUp: 0, lifecycle: 100, fill: [50, 200], steadySeconds: 10 },
} as const;

/** Executors of each application. */
const EXECUTORS = 5;
/** Seconds that drivers run in a lifecycle. */
const LIFECYCLE = 6;
/** Seconds for all applications, and for each. */
const [PATIENCE, SECONDS_EACH] = [60, 0.4];
/** Changes a second of a steady population: executors, and applications that end while others begin. */
const [EXECUTOR_CHURN, APPLICATION_CHURN] = [20, 2];
/** Drivers that end while no operator runs. */
const MISSED = 20;
/** Milliseconds from one request for the metrics to the next, and of the time after a restart. */
const [INTERVAL, SETTLED] = [250, 15_000];

const secondsFor = (count: number) => PATIENCE + count * SECONDS_EACH;

/** One replica with up to 10,000 running applications on simulated nodes. */
export async function population(context: Context): Promise<Figures['population']> {
  const sizes = SIZES[context.task.quick ? 'quick' : 'full'];
  const most = sizes.fill.at(-1)!;
  const nodes = nodesFor(most * (1 + EXECUTORS));
  await startNodes(context, nodes);
  const operator = await context.startOperator(NAMESPACES);
  const stage = await Stage.open(context, nodes);
  const busy: Record<string, Busy> = {};
  const measured = async <T>(phase: string, by: Operator, work: () => Promise<T>, isNew = false): Promise<readonly [T, Load]> => {
    context.progress(phase);
    const result = await measureLoad(context, by, phase, work, isNew);
    busy[phase] = result[1].busy;
    return result;
  };

  const lifecycleOf = (count: number) => stage.grow(
    operator, count, { executors: EXECUTORS, driverSeconds: LIFECYCLE, startSeconds: 1, until: 'completed', seconds: secondsFor(count) },
  );
  if (sizes.warmUp > 0) await lifecycleOf(sizes.warmUp);
  const [, lived] = await measured(`lifecycle of ${sizes.lifecycle}`, operator, () => lifecycleOf(sizes.lifecycle));
  const fill: Figures['population']['fill'][number][] = [];
  for (const applications of sizes.fill) {
    const count = applications - stage.drivers.running.size;
    const [, load] = await measured(`fill to ${applications}`, operator, () => stage.grow(
      operator, count, { executors: EXECUTORS, startSeconds: 1, until: 'whole', seconds: secondsFor(count) },
    ));
    fill.push({ applications, rate: count * 60_000 / load.milliseconds, cpu: load.cpu / count, received: load.received / count });
  }
  const [steadily, stood] = await measured('steady', operator, () => steady(context, stage, operator, sizes.steadySeconds));
  const pods = stage.size;

  await operator.stop();
  const missed = await endSome(stage);
  const began = performance.now();
  const another = await context.spawnOperator(NAMESPACES);
  const [caughtUp, restarted] = await measured('restart', another, () => restart(context, missed, another, began), true);
  const [, settled] = await measured('after the restart', another, () => sleep(SETTLED));
  return {
    applications: most, pods, executors: EXECUTORS,
    lifecycle: {
      applications: sizes.lifecycle, rate: sizes.lifecycle * 60_000 / lived.milliseconds, cpu: lived.cpu / sizes.lifecycle,
      calls: callsForOne(lived.calls, sizes.lifecycle),
    },
    fill,
    steady: { ...steadily, memory: stood.memory.median },
    restart: { caughtUp, cpu: restarted.cpu, received: restarted.received, memory: settled.memory.median },
    busy,
  };
}

/** A population that runs while executors come and go, and a few applications end and others begin. */
async function steady(
  context: Context, stage: Stage, operator: Operator, seconds: number,
): Promise<Omit<Figures['population']['steady'], 'memory'>> {
  const { drivers } = stage;
  const running = [...drivers.running.values()];
  const victims = running.splice(0, Math.min(Math.floor(running.length / 4), seconds * APPLICATION_CHURN));
  const bodies = stage.newApplications(victims.length, EXECUTORS);
  const born = stage.follow(bodies.map(({ metadata }) => metadata.name), EXECUTORS);
  const dying = stage.follow(victims.map(({ application }) => application));
  const under: Promise<unknown>[] = [];
  const add = (work: Promise<unknown>) => under.push(work.catch(context.fail));
  const began = performance.now();
  let [lost, turned] = [0, 0];
  for (let now = 0; now < seconds; now = (performance.now() - began) / 1000) {
    // A prime number spreads the losses over the drivers.
    for (; lost < now * EXECUTOR_CHURN; lost++) add(stage.replaceExecutor(running[lost * 7919 % running.length]!));
    for (; turned < Math.min(victims.length, now * APPLICATION_CHURN); turned++) {
      add(drivers.end(victims[turned]!));
      add(stage.create(bodies[turned], born));
    }
    await sleep(20);
  }
  await Promise.all(under);
  const isDone = () => born.count('whole') === turned && dying.count('completed') === turned;
  await context.until(operator, isDone, PATIENCE, () => `${born.describe()}\n${dying.describe()}`);
  // Without the last ones the percentile would be too low.
  const end = performance.now() + PATIENCE * 1000;
  await context.until(operator, () => stage.open === 0 || performance.now() > end, 2 * PATIENCE, () => '');
  if (stage.open > 0) context.doubt(`no status shows ${stage.open} changes of executors after ${PATIENCE} s`);
  return {
    lag: spreadOf([...born.between('driverRunning', 'running'), ...dying.between('driverEnded', 'ended')]),
    executorLag: spreadOf(stage.executorLag),
    toDriver: spreadOf(born.between('created', 'driver')),
  };
}

/** Lets drivers end that an operator has to find later. */
async function endSome(stage: Stage): Promise<Timeline> {
  const { drivers } = stage;
  const missed = [...drivers.running.values()].slice(0, Math.min(MISSED, Math.ceil(drivers.running.size / 10)));
  const timeline = stage.follow(missed.map(({ application }) => application));
  await inParallel(missed, MISSED, async (driver) => drivers.end(driver));
  return timeline;
}

/**
 * Waits until a new operator has caught up: it is ready, its statuses show the drivers that ended meanwhile, and
 * nothing waits in its queues. Returns the milliseconds since the start of its process.
 */
async function restart(context: Context, missed: Timeline, operator: Operator, began: number): Promise<number> {
  await operator.ready(2 * PATIENCE);
  await context.until(operator, () => missed.count('completed') === missed.size, 2 * PATIENCE, () => missed.describe());
  for (const end = performance.now() + 2 * PATIENCE * 1000; ; await sleep(INTERVAL)) {
    const { queue } = await operator.metrics();
    if (queue === 0) return performance.now() - began;
    if (performance.now() > end) throw new Error(`${queue} objects wait in the queues ${2 * PATIENCE} s after a restart`);
  }
}
