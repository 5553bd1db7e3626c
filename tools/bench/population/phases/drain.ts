import { inParallel } from '../../api-client.ts';
import { LoadMeter } from '../load-meter.ts';
import type { DrainFigures } from '../measurements.ts';
import { Timeline } from '../timeline.ts';
import type { World } from '../world.ts';
import { countAllCalls, lagOf } from './figures.ts';

/** Drivers that end at the same time. */
const WIDTH = 8;
/** For each application there is so much time, and some more. */
const SECONDS_EACH = 0.2;

/** Lets all drivers of the population end. */
export async function drain(world: World): Promise<DrainFigures> {
  const { stage, admin } = world;
  const drivers = [...stage.drivers.running.values()];
  world.progress(`${drivers.length} applications end`);
  const finished = stage.finished;
  const timeline = new Timeline(drivers.map(({ application }) => application));
  const unfollow = stage.follow(timeline);
  const allCalls = await countAllCalls(admin);
  const meter = await LoadMeter.begin(world.operator);
  const began = performance.now();
  await inParallel(drivers, WIDTH, async (driver) => {
    await stage.drivers.end(driver, true);
    stage.check();
  });
  await stage.until(timeline, () => timeline.isOver, 60 + drivers.length * SECONDS_EACH);
  await stage.checkCompleted(timeline);
  const load = await meter.end();
  unfollow();
  return {
    size: stage.size(drivers.length, finished),
    after: { ended: timeline.last('driverEnded') - began, completed: timeline.last('completed') - began },
    lag: lagOf(timeline),
    load,
    allCalls: await allCalls(),
  };
}
