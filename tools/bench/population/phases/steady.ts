import { setTimeout as sleep } from 'node:timers/promises';
import { countGarbage } from '../../api-garbage.ts';
import type { Driver } from '../drivers.ts';
import { LoadMeter } from '../load-meter.ts';
import type { SteadyFigures } from '../measurements.ts';
import { Probe } from '../probe.ts';
import { seriesOf } from '../series.ts';
import { spreadOf, Timeline } from '../timeline.ts';
import type { World } from '../world.ts';
import { writesOf } from '../writes.ts';
import { lagOf } from './figures.ts';

/** How many executors are lost, and made anew, in a second. */
const EXECUTORS_PER_SECOND = 20;
/** How many applications end, and others come, in a second. */
const APPLICATIONS_PER_SECOND = 2;
/** Within this time all has to be told that has happened. */
const DEADLINE_SECONDS = 60;
/** Nothing is measured before this, in seconds: what came before has to be over. */
const SETTLE_SECONDS = 5;

/**
 * A population that runs for so many seconds, while executors come and go, and a few applications end and others come.
 *
 * @param isProfiled whether the operator's CPU time may be taken apart
 */
export async function steady(world: World, seconds: number, isProfiled = false): Promise<SteadyFigures> {
  const { stage, admin, task: { executors } } = world;
  const { drivers, executorLag } = stage;
  const running = drivers.running.size;
  world.progress(`${running} applications that run, for ${seconds} s`);
  await sleep(SETTLE_SECONDS * 1000);
  drivers.pace = { executors, startSeconds: 1 };
  executorLag.reset();
  const finished = stage.finished;
  const victims = [...drivers.running.values()].slice(0, Math.min(Math.floor(running / 4), seconds * APPLICATIONS_PER_SECOND));
  const [born, dying] = [new Timeline(stage.newNames(victims.length), executors), new Timeline(victims.map(({ application }) => application))];
  const unfollow = [stage.follow(born), stage.follow(dying)];
  const others = [...drivers.running.values()].slice(victims.length);
  const apiGarbage = await countGarbage(admin);
  const probe = await Probe.begin(admin, stage.fail);
  const meter = await LoadMeter.begin(world.operator);
  if (isProfiled) world.beginProfile();

  const began = performance.now();
  const under: Promise<unknown>[] = [];
  let [lost, turned] = [0, 0];
  for (let now = 0; now < seconds; now = (performance.now() - began) / 1000) {
    for (; lost < now * EXECUTORS_PER_SECOND; lost++) under.push(replaceExecutor(world, others[lost * 7919 % others.length]!).catch(stage.fail));
    for (; turned < Math.min(victims.length, now * APPLICATIONS_PER_SECOND); turned++) {
      under.push(...[drivers.end(victims[turned]!), stage.create(born.names[turned]!, executors)].map(async (call) => call.catch(stage.fail)));
    }
    stage.check();
    await sleep(20);
  }
  const span = (performance.now() - began) / 1000;
  await Promise.all(under);
  // Of the operator's work in this time, too.
  await stage.until(born, () => born.count('whole') === turned && dying.count('completed') === turned, DEADLINE_SECONDS);
  // Without those that are told last, the percentile would be of the others.
  for (const end = performance.now() + DEADLINE_SECONDS * 1000; executorLag.open > 0 && performance.now() < end; await sleep(50)) stage.check();
  if (isProfiled) await world.endProfile('steady');
  const probed = await probe.end();
  const load = await meter.end();
  for (const end of unfollow) end();
  const writes = writesOf([load], span);
  return {
    size: stage.size(running, finished),
    span: span * 1000,
    churn: { executors: lost / span, applications: turned / span },
    toDriver: spreadOf(born.between('created', 'driver')),
    lag: lagOf(born, dying),
    executorLag: executorLag.spread,
    probe: spreadOf(probed.map(({ duration }) => duration)),
    executorsUntold: executorLag.open,
    writesPerSecond: { status: writes.handOver + writes.status, all: Object.values(writes).reduce((sum, count) => sum + count, 0) },
    apiGarbage: await apiGarbage(),
    load,
    series: seriesOf(meter.samples, [...born.lasting('driverRunning', 'running'), ...born.lasting('driverEnded', 'ended'), ...dying.lasting('driverEnded', 'ended')], probed),
  };
}

async function replaceExecutor({ stage: { drivers, executorLag } }: World, driver: Driver): Promise<void> {
  const [executor] = driver.executors;
  if (executor === undefined) return;
  await drivers.loseExecutor(driver, executor);
  executorLag.gone(driver.application, executor, performance.now());
  await drivers.addExecutor(driver, true);
}
