import { setTimeout as sleep } from 'node:timers/promises';
import { LoadMeter } from '../load-meter.ts';
import type { PaceFigures } from '../measurements.ts';
import { Probe } from '../probe.ts';
import { spreadOf, Timeline } from '../timeline.ts';
import type { World } from '../world.ts';
import { lagOf } from './figures.ts';

/** How many applications come, in a second. */
const PER_SECOND = 20;
const DRIVER_SECONDS = 5;
const DEADLINE_SECONDS = 120;

/** Applications that come one after the other, for so many seconds. */
export async function pace(world: World, seconds: number): Promise<PaceFigures> {
  const { stage, admin } = world;
  world.progress(`${PER_SECOND} applications a second for ${seconds} s`);
  const finished = stage.finished;
  const timeline = new Timeline(stage.newNames(PER_SECOND * seconds));
  const unfollow = stage.follow(timeline);
  const probe = await Probe.begin(admin, stage.fail);
  const meter = await LoadMeter.begin(world.operator);
  stage.drivers.pace = { executors: 0, driverSeconds: DRIVER_SECONDS, startSeconds: 0 };
  const began = performance.now();
  const dueAt = (index: number) => began + index * 1000 / PER_SECOND;
  const creations: Promise<void>[] = [];
  for (const [index, name] of timeline.names.entries()) {
    await sleep(Math.max(0, dueAt(index) - performance.now()));
    creations.push(stage.create(name, 0).catch(stage.fail));
    stage.check();
  }
  await Promise.all(creations);
  const created = performance.now();
  await stage.until(timeline, () => timeline.isOver, DEADLINE_SECONDS);
  await stage.checkCompleted(timeline);
  const writes = await probe.end();
  const load = await meter.end();
  unfollow();
  return {
    size: stage.size(timeline.size, finished),
    perSecond: { wanted: PER_SECOND, actual: timeline.size * 1000 / (created - began) },
    toDriver: spreadOf(timeline.between('created', 'driver')),
    sinceDue: spreadOf(timeline.at('driver').map((at, index) => at! - dueAt(index))),
    lag: lagOf(timeline),
    probe: spreadOf(writes.map(({ duration }) => duration)),
    load,
  };
}
