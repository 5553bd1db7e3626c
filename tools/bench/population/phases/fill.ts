import { LoadMeter } from '../load-meter.ts';
import type { FillFigures } from '../measurements.ts';
import { spreadOf, Timeline } from '../timeline.ts';
import type { World } from '../world.ts';
import { countAllCalls, lagOf } from './figures.ts';

/** When drivers create their executors, in seconds from their start. */
const START_SECONDS = 1;
/** For each application there is so much time, and some more. */
const SECONDS_EACH = 0.3;

/** Brings the population to so many applications that run, with all of their executors. */
export async function fill(world: World, applications: number): Promise<FillFigures> {
  const { stage, admin, task: { executors } } = world;
  const count = applications - stage.drivers.running.size;
  world.progress(`${count} applications more, to ${applications} that run`);
  const timeline = new Timeline(stage.newNames(count), executors);
  const unfollow = stage.follow(timeline);
  const allCalls = await countAllCalls(admin);
  const meter = await LoadMeter.begin(world.operator);
  const began = performance.now();
  await stage.createAll(timeline.names, { executors, startSeconds: START_SECONDS });
  const created = performance.now();
  await stage.until(timeline, () => timeline.count('whole') === count, 60 + count * SECONDS_EACH);
  const load = await meter.end();
  unfollow();
  return {
    size: stage.size(applications),
    created: count,
    after: {
      created: created - began, submitted: timeline.last('driver') - began, running: timeline.last('running') - began, whole: timeline.last('whole') - began,
    },
    toDriver: spreadOf(timeline.between('created', 'driver')),
    lag: lagOf(timeline),
    load,
    allCalls: await allCalls(),
  };
}
