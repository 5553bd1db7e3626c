import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../../machine.ts';
import { LoadMeter } from '../load-meter.ts';
import type { FailoverFigures } from '../measurements.ts';
import { Timeline } from '../timeline.ts';
import type { World } from '../world.ts';
import { caughtUp, Log, STANDING_BY, untilSaid } from './caught-up.ts';

const DEADLINE_SECONDS = 120;
/** Before the kill, so that the one that stands by does nothing but that. */
const CALM = 3_000;

/** Kills the operator that leads while another one stands by, which goes on then. */
export async function failover(world: World): Promise<FailoverFigures> {
  const { stage, operator: leader, task: { executors } } = world;
  const size = stage.size(stage.drivers.running.size);
  world.progress('the operator that leads is killed while another one stands by');
  const log = new Log();
  const standby = world.newOperator(log.add);
  await untilSaid(log, STANDING_BY, stage);
  await sleep(CALM);
  const standbyMemory = memoryOf(standby.pid)!;
  const leaseSeconds = await leaseDuration(world);

  const timeline = new Timeline(stage.newNames(1), executors);
  const unfollow = stage.follow(timeline);
  stage.drivers.pace = { executors, startSeconds: 0 };
  const meter = await LoadMeter.begin(standby);
  world.replaceOperator(standby);
  const [began, clock] = [performance.now(), Date.now()];
  leader.signal('SIGKILL');
  await stage.create(timeline.names[0]!, executors);
  await untilSaid(log, 'leading', stage, 1);
  const { at } = await caughtUp(log, meter, stage);
  await stage.until(timeline, () => timeline.count('whole') === 1, DEADLINE_SECONDS);
  await meter.end();
  unfollow();
  return {
    size, standbyMemory, leaseSeconds, leading: log.times('leading')[0]! - clock, caughtUp: at - began, toDriver: timeline.last('driver') - began,
  };
}

async function leaseDuration({ admin }: World): Promise<number> {
  const { items } = await admin.json('GET', '/apis/coordination.k8s.io/v1/leases?limit=500');
  return items.find(({ metadata }: any) => metadata.name === 'spark-operator-controller-lock').spec.leaseDurationSeconds;
}
