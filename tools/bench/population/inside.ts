/*
 * The part of the benchmark that runs in the network of the cluster, where the API server is. A program of its own; its parent sends what to do and
 * gets the figures.
 */
import { measureForParent, type Surroundings } from '../child-program.ts';
import { memoryOf } from '../machine.ts';
import type { Load, PopulationRun } from './measurements.ts';
import { drain } from './phases/drain.ts';
import { failover } from './phases/failover.ts';
import { fill } from './phases/fill.ts';
import { lifecycle } from './phases/lifecycle.ts';
import { pace } from './phases/pace.ts';
import { restart } from './phases/restart.ts';
import { steady } from './phases/steady.ts';
import type { Plan } from './plan.ts';
import { World } from './world.ts';
import { addWrites, writesOf } from './writes.ts';

export interface Task extends Plan {
  readonly executors: number;
  readonly workers: number;
  /** In seconds. */
  readonly deadline: number;
  /** The operator's bundle. */
  readonly bundle: string;
  /** The path of kwok. */
  readonly kwok: string;
  /** Where to put CPU profiles of the operator. @default - none are made */
  readonly profile?: string;
}

measureForParent<Task, PopulationRun>(({ deadline }) => deadline, measure);

async function measure(task: Task, surroundings: Surroundings): Promise<PopulationRun> {
  const world = await World.begin(task, surroundings);
  try {
    return await run(world);
  } finally {
    await world.end();
  }
}

async function run(world: World): Promise<PopulationRun> {
  const { task, stage, nodes } = world;
  const seconds: Record<string, number> = {};
  const timed = async <T>(name: string, phase: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const figures = await phase();
    seconds[name] = Math.round((performance.now() - began) / 100) / 10;
    world.progress(`  ${name}: ${seconds[name]} s${figures && typeof figures === 'object' && 'load' in figures ? `, processors busy: ${busy(figures.load as Load)}` : ''}`);
    return figures;
  };

  const idleMemory = memoryOf(world.operator.pid)!;
  if (task.warmUp > 0) await timed('warm-up', async () => lifecycle(world, task.warmUp));
  const byLifecycle = [];
  const greatest = task.lifecycle.at(-1)!;
  // The greatest is compared with the population, whose executors end at once: that is less work, but the same for both.
  for (const size of task.lifecycle) byLifecycle.push(await timed(`lifecycle of ${size}`, async () => lifecycle(world, size, { atOnce: size === greatest, isProfiled: size === greatest })));
  const paced = await timed('pace', async () => pace(world, task.paceSeconds));
  const [filled, steadied, restarted] = [[] as any[], [] as any[], [] as any[]];
  for (const { applications, steadySeconds } of task.population) {
    filled.push(await timed(`fill to ${applications}`, async () => fill(world, applications)));
    steadied.push(await timed(`steady at ${applications}`, async () => steady(world, steadySeconds, applications === task.population.at(-1)!.applications)));
    restarted.push(await timed(`restart at ${applications}`, async () => restart(world, applications === task.population.at(-1)!.applications)));
  }
  const failedOver = await timed('failover', async () => failover(world));
  const drained = await timed('drain', async () => drain(world));
  const again = await timed('again', async () => lifecycle(world, task.again, { atOnce: task.again === greatest }));
  const created = filled.reduce((sum, figures) => sum + figures.created, 0);
  return {
    nodes: nodes.count,
    idleMemory,
    lifecycle: byLifecycle,
    pace: paced,
    fill: filled,
    steady: steadied,
    restart: restarted,
    failover: failedOver,
    drain: drained,
    again,
    writes: addWrites(writesOf(filled.map(({ load }) => load), created), writesOf([drained.load], drained.size.applications)),
    watchCuts: stage.cuts,
    complaints: world.complaints,
    seconds,
  };
}

function busy({ processors, otherLoad }: Load): string {
  return [...processors, { program: 'others', busy: otherLoad }].map(({ program, busy: share }) => `${program} ${share.toFixed(2)}`).join(', ');
}
