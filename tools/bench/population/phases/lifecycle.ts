import { LoadMeter } from '../load-meter.ts';
import type { LifecycleFigures } from '../measurements.ts';
import { spreadOf, Timeline } from '../timeline.ts';
import type { World } from '../world.ts';
import { writesOf } from '../writes.ts';
import { countAllCalls, lagOf } from './figures.ts';

/** How long drivers run, in seconds. */
export const DRIVER_SECONDS = 6;
/** When they create their executors. */
const START_SECONDS = 1;
/** For each application there is so much time, and some more. */
const SECONDS_EACH = 0.4;

export interface LifecycleOptions {
  /** Whether executors end without a time of grace. @default false */
  readonly atOnce?: boolean;
  /** Whether the operator's CPU time may be taken apart. @default false */
  readonly isProfiled?: boolean;
}

/** Applications that are created as fast as the API server takes them and go on to COMPLETED. */
export async function lifecycle(world: World, count: number, { atOnce = false, isProfiled = false }: LifecycleOptions = {}): Promise<LifecycleFigures> {
  const { stage, admin, task: { executors } } = world;
  world.progress(`${count} applications from their creation to COMPLETED`);
  const finished = stage.finished;
  const timeline = new Timeline(stage.newNames(count), executors);
  const unfollow = stage.follow(timeline);
  const allCalls = await countAllCalls(admin);
  const meter = await LoadMeter.begin(world.operator);
  if (isProfiled) world.beginProfile();
  const began = performance.now();
  await stage.createAll(timeline.names, { executors, driverSeconds: DRIVER_SECONDS, startSeconds: START_SECONDS, atOnce });
  const created = performance.now();
  await stage.until(timeline, () => timeline.isOver, 60 + count * SECONDS_EACH);
  await stage.checkCompleted(timeline);
  if (isProfiled) await world.endProfile('lifecycle');
  const load = await meter.end();
  unfollow();
  return {
    size: stage.size(count, finished),
    driverSeconds: DRIVER_SECONDS,
    after: {
      created: created - began, submitted: timeline.last('driver') - began, running: timeline.last('running') - began, completed: timeline.last('completed') - began,
    },
    toDriver: spreadOf(timeline.between('created', 'driver')),
    lag: lagOf(timeline),
    load,
    allCalls: await allCalls(),
    writes: writesOf([load], count),
    executorsMissed: count * executors - timeline.executorsCompleted,
    atOnce,
  };
}
