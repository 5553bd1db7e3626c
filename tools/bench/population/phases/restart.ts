import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '../../api-client.ts';
import { LoadMeter } from '../load-meter.ts';
import type { RestartFigures } from '../measurements.ts';
import { Timeline } from '../timeline.ts';
import type { World } from '../world.ts';
import { AT_WORK, caughtUp, Log } from './caught-up.ts';

/** Drivers that end while no operator is there, at most. */
const MISSED = 20;
const DEADLINE_SECONDS = 120;
/** For how long its memory is looked at once it has caught up, in milliseconds. */
const SETTLED = 15_000;

/**
 * Ends the operator and starts it again, beside what is there.
 *
 * @param isProfiled whether its CPU time may be taken apart, until it has caught up
 */
export async function restart(world: World, isProfiled = false): Promise<RestartFigures> {
  const { stage } = world;
  const size = stage.size(stage.drivers.running.size);
  world.progress(`the operator is started again beside ${size.applications} applications that run, ${size.finished} that are finished, and ${size.pods} pods`);
  await world.operator.stop();
  const missed = [...stage.drivers.running.values()].slice(0, Math.min(MISSED, Math.ceil(size.applications / 10)));
  const timeline = new Timeline(missed.map(({ application }) => application));
  const unfollow = stage.follow(timeline);
  await inParallel(missed, MISSED, async (driver) => stage.drivers.end(driver));

  const log = new Log();
  const [began, clock] = [performance.now(), Date.now()];
  const operator = world.newOperator(log.add, isProfiled && world.task.profile !== undefined);
  world.replaceOperator(operator);
  const meter = LoadMeter.fromStart(operator);
  const { at, cached } = await caughtUp(log, meter, stage);
  if (isProfiled) await world.endProfile('restart');
  await stage.until(timeline, () => timeline.isOver, DEADLINE_SECONDS);
  await stage.checkCompleted(timeline);
  unfollow();
  const told = timeline.last('completed') - began;
  const atWork = log.times(AT_WORK);
  const load = await meter.end();
  const afterwards = await LoadMeter.begin(operator);
  await sleep(SETTLED);
  const { memory: { median: settledMemory } } = await afterwards.end();
  return {
    size,
    listening: Math.min(...log.times('serving health and metrics')) - clock,
    filled: Math.max(...atWork) - clock,
    firstReconcile: Math.min(...atWork) - clock,
    caughtUp: Math.max(at - began, told),
    missed: { drivers: missed.length, told },
    cached,
    load,
    settledMemory,
  };
}
