import { RestartPolicyType } from '../../../../../src/api/restart-policy';
import { ApplicationState, isTerminal } from '../../../../../src/api/states';
import { CONFIG_MAPS, SERVICES } from '../../../../../src/model/resources';
import { edit, late, removeForeignPods } from './actions';
import { hasEnded, submissionOf, type PodChange } from './nodes';
import { MANY_CALLS, type World } from './world';

/** More rounds than the longest way to rest needs. */
const MANY_ROUNDS = 400;
/** Interval of reconciles of an unfinished application, in milliseconds. */
const RESYNC = 300_000;

/** Stops all faults: lost calls stay lost, and the others happen. */
export async function stopFaults(world: World): Promise<void> {
  world.paused?.die(false);
  world.paused = undefined;
  Object.assign(world.leader.lag, { sparkapplications: 0, pods: 0 });
  while (world.late.length > 0) late(world);
  world.clock.set(0);
  for (const pod of world.nodes.drivers()) world.nodes.happen(pod, 'node is back');
  removeForeignPods(world);
}

/**
 * Advances the time until nothing happens any more.
 *
 * @throws if the application does not come to rest
 */
export async function comeToRest(world: World, fates: PodChange[], isEnough: () => boolean = () => false): Promise<void> {
  const states: string[] = [];
  for (let round = 0; round < MANY_ROUNDS; round++) {
    await world.work(world.leader, MANY_CALLS);
    world.leader.watch();
    if (isEnough()) return;
    if (world.leader.dueIn === 0) continue;
    if (world.server.collectGarbage() || world.nodes.drivers().some((pod) => goOn(world, pod, fates))) continue;
    const { dueIn } = world.leader;
    if (dueIn === undefined || (isTerminal(world.state) && round > 0 && dueIn > 0)) return;
    world.clock.advance(dueIn);
    states.push(world.state);
  }
  throw new Error(`the application does not come to rest; the last states: ${states.slice(-8).join(', ')}`);
}

/** Takes a pod's next usual step. */
function goOn({ nodes, ledger }: World, pod: ReturnType<World['nodes']['drivers']>[number], fates: PodChange[]): boolean {
  if (pod.metadata.deletionTimestamp) return nodes.happen(pod, 'go');
  if (nodes.happen(pod, 'schedule') || nodes.happen(pod, 'known again')) return true;
  // A driver that waits for its ConfigMap has no deadline: its user reads the reason, and deletes
  // it.
  if (pod.status.phase === 'Pending') return nodes.happen(pod, 'run') || (ledger.lacksConfigMap && nodes.happen(pod, 'delete'));
  if (hasEnded(pod)) return false;
  return nodes.happen(pod, fates.shift() ?? 'succeed');
}

/** Checks that an application with restart policy Always runs again, and then ends it. */
export async function endEndless(world: World, fates: PodChange[]): Promise<void> {
  const { application } = world;
  if (application?.spec.restartPolicy?.type !== RestartPolicyType.ALWAYS || application.spec.suspend) return;
  const before = world.ledger.drivers.length;
  // The operator also retries an application that cannot be submitted.
  const attempts = application.status?.submissionAttempts ?? 0;
  if (!isTerminal(world.state)) {
    await comeToRest(
      world, fates, () => world.ledger.drivers.length > before + 1 || (world.application?.status?.submissionAttempts ?? 0) > attempts + 2,
    );
  }
  edit(world, { restartPolicy: { type: RestartPolicyType.NEVER } });
}

/**
 * Checks the end of an application.
 *
 * @throws if it is wrong
 */
export function checkEnd(world: World): void {
  const { application, state, server, ledger } = world;
  const live = world.nodes.drivers().filter((pod) => !hasEnded(pod));
  if (live.length > 0) {
    throw new Error(`at rest in state ${state || 'new'}, ${live.map(({ metadata }) => metadata.name).join(' and ')} continues`);
  }
  if (!application) {
    const left = server.all();
    if (left.length > 0) throw new Error(`the application is gone, and ${left.map(({ metadata }) => metadata.name).join(', ')} is left`);
    return;
  }
  const { uid } = application.metadata;
  const { spec, status } = application;
  const current = status?.submissionID;
  // These objects are deleted with the application.
  const others = ledger.mayLeave ? [] : [...server.all(CONFIG_MAPS), ...server.all(SERVICES)];
  const left = [...others, ...world.pods()].filter((object) => submissionOf(object) !== current);
  if (left.length > 0) {
    throw new Error(`at rest in state ${state}, left of an earlier attempt: ${left.map(({ metadata }) => metadata.name).join(', ')}`);
  }
  if (state === ApplicationState.SUSPENDED) {
    if (!spec.suspend) throw new Error('suspended, and its user does not want that');
    if (world.pods(uid).length > 0) throw new Error('suspended, and there is a driver');
    return;
  }
  if (!isTerminal(state)) throw new Error(`rests in state ${state || 'new'}`);
  // The same submission can have another driver if the first was deleted, or a call came late.
  const drivers = ledger.of(uid).filter(({ submission }) => submission === current);
  const last = drivers.at(-1);
  if (last && last.image !== spec.image) throw new Error(`${state} with ${last.image}, where ${spec.image} is asked for`);
  if (state === ApplicationState.COMPLETED && !drivers.some(({ end }) => end === 'succeeded')) {
    throw new Error(`completed, and its driver has ${last?.end ?? 'never been'}`);
  }
  // A driver that the operator gave up can succeed before it is deleted.
  const { errorMessage = '' } = status.applicationState;
  const hasSucceeded = drivers.length === 1 && last?.end === 'succeeded' && last.removedBy === undefined;
  if (state === ApplicationState.FAILED && hasSucceeded && !/took longer than|waited/.test(errorMessage)) {
    throw new Error(`failed (${errorMessage}), and its driver has succeeded`);
  }
  const isRefused = spec.mainApplicationFile.startsWith('/');
  if (state === ApplicationState.FAILED && !last && !isRefused && !ledger.hadFailures) {
    throw new Error(`failed without a driver: ${errorMessage}`);
  }
}

/**
 * Checks that the operator deletes a finished application when its time to live is over, and not
 * before.
 */
export async function checkTimeToLive(world: World, fates: PodChange[]): Promise<void> {
  const { application, clock } = world;
  const timeToLive = application?.spec.timeToLiveSeconds;
  if (!application || !isTerminal(world.state)) return;
  const { dueIn } = world.leader;
  if (timeToLive === undefined) {
    if (dueIn !== undefined) throw new Error('finished, and still requeued');
    return;
  }
  if (dueIn === undefined || dueIn > Math.max(timeToLive * 1000, RESYNC)) {
    throw new Error(`to be deleted after ${timeToLive} s, and requeued after ${dueIn} ms`);
  }
  clock.advance(Math.max(Date.parse(application.status.terminationTime) + timeToLive * 1000 - clock.now(), 0));
  await comeToRest(world, fates);
  if (world.application) throw new Error('its time to live is over, and it still exists');
  checkEnd(world);
}
