import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, processorsBusy, usage, type Usage } from '../machine.ts';

/** Milliseconds of a turn, and of the pause after it, in which the API server answers the last calls. */
export const TURN = 2_000;
const PAUSE = 200;
/** All turns together take no longer, in milliseconds. */
const MAX_TIME = 120_000;

/** A stopped process that works on the applications of a namespace. */
export interface Player {
  readonly pid: number;
  readonly namespace: string;
  /** Applications in all. */
  readonly applications: number;
}

export interface TurnFigures {
  /** Submissions a minute. */
  readonly rate: number;
  /** CPU time of one submission in milliseconds. */
  readonly cpu: number;
  readonly rounds: number;
}

/**
 * Lets one player work while the other is stopped, for so many turns each, so that other load on the machine
 * hits both. Ends earlier when one of them has few applications left.
 *
 * @param submitted counts the drivers of a namespace
 */
export async function takeTurns(
  players: readonly [Player, Player], rounds: number, submitted: (namespace: string) => number,
): Promise<readonly [TurnFigures, TurnFigures]> {
  const states = players.map((player) => ({ player, done: 0, time: 0, cpu: 0, most: 0, turns: 0 }));
  const end = performance.now() + MAX_TIME;
  const isOver = () => states.some(({ player, most }) => player.applications - submitted(player.namespace) <= 1.5 * most);
  for (let round = 0; round < rounds && !isOver() && performance.now() < end; round++) {
    // Neither is always the first.
    for (const state of round % 2 === 0 ? states : states.toReversed()) {
      const { pid, namespace } = state.player;
      const [began, cpu, before] = [performance.now(), cpuOf(pid)!, submitted(namespace)];
      process.kill(pid, 'SIGCONT');
      await sleep(TURN);
      process.kill(pid, 'SIGSTOP');
      state.time += performance.now() - began;
      await sleep(PAUSE);
      const done = submitted(namespace) - before;
      state.done += done;
      state.cpu += cpuOf(pid)! - cpu;
      state.most = Math.max(state.most, done);
      state.turns++;
    }
  }
  const [first, second] = states.map(({ done, time, cpu, turns }) => ({ rate: done * 60_000 / time, cpu: cpu / done, rounds: turns }));
  return [first!, second!];
}

/** Waits until the controllers of the cluster have handled what was created: they would slow down the next phase. */
export async function settle(seconds = 20): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (let before: Usage = usage(), calm = 0; calm < 2 && performance.now() < end;) {
    await sleep(500);
    const now = usage();
    calm = processorsBusy(before, now).ours < 0.15 ? calm + 1 : 0;
    before = now;
  }
}
