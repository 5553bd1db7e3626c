import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callsBetween, countCalls, type CallCounts } from './api-counts.ts';
import { NAMESPACES, type CreatedApplication } from './application.ts';
import type { Job, Report } from './bare-client.ts';
import { endWithUs } from './children.ts';
import { busyProcessors, cpuOf, total, usage, type Usage } from './machine.ts';
import { MAX_PASS_SECONDS, startOperator, type Recording, type Setting } from './passes.ts';
import { checkSubmitted, createApplications } from './stock.ts';
import { figuresOf, type PlayerFigures, type Turn } from './turn-figures.ts';

/** Operator and bare client take turns of this many milliseconds, so that whatever else happens on the machine hits both. */
const TURN = 2_000;
/** All turns together take no longer. */
const MAX_TURNS_SECONDS = 120;
/** Between two turns, for what the one before has left to the API server. */
const PAUSE = 200;
/**
 * Who takes turns is quicker than the operator while applications are created, and the bare client may be quicker than the operator. There have to be enough applications for
 * all turns, and each that is too many costs time: as many times what that rate comes to are there for each.
 */
const STOCK = { operator: 1.5, bare: 2 } as const;

/** Somebody who works on applications, and can be stopped. */
interface Player {
  readonly pid: number;
  /** When each application was through, in milliseconds since the epoch. */
  readonly completed: readonly number[];
  /** Applications in all. */
  readonly applications: number;
}

export interface RateFigures {
  readonly operator: PlayerFigures;
  readonly bare: PlayerFigures;
  readonly otherLoad: number;
  readonly complaints: readonly string[];
}

/**
 * The operator and the bare client on applications that are there already: how many they get through in a second.
 *
 * @param expected about as many, of the operator
 */
export async function compareRates(setting: Setting, recording: Recording, expected: number): Promise<RateFigures> {
  const { admin, warmUp, turns, progress } = setting;
  const stock = (times: number) => warmUp + Math.ceil(times * expected * turns * TURN / 1000);
  const counts = { operator: stock(STOCK.operator), bare: stock(STOCK.bare) };
  progress(`creating ${counts.operator + counts.bare} applications for the comparison of rates`);
  await createApplications(admin, NAMESPACES.pile, 0, counts.operator);
  const forBare = await createApplications(admin, NAMESPACES.bare, 0, counts.bare);

  const bare = new BareClient();
  const operator = startOperator(setting, NAMESPACES.pile);
  operator.signal('SIGSTOP');
  try {
    progress(`warming up the bare client with ${warmUp} applications`);
    await settle();
    bare.work(setting, recording, forBare.slice(0, warmUp));
    await bare.isDone();

    progress(`warming up the operator with ${warmUp} applications`);
    operator.signal('SIGCONT');
    await operator.hasSubmitted(warmUp, MAX_PASS_SECONDS);
    operator.signal('SIGSTOP');
    process.kill(bare.pid, 'SIGSTOP');
    bare.work(setting, recording, forBare.slice(warmUp));
    await settle();

    progress(`${turns} turns each, of ${TURN / 1000} s`);
    const usageBefore = usage();
    const figures = await takeTurns(
      turns, async () => countCalls(admin),
      { pid: operator.pid, completed: operator.submitted, applications: counts.operator }, { pid: bare.pid, completed: bare.completed, applications: counts.bare },
    );
    const otherLoad = busyProcessors(usageBefore, usage()).others;
    await checkSubmitted(admin, NAMESPACES.pile, operator.submitted.length);
    await checkSubmitted(admin, NAMESPACES.bare, bare.completed.length);
    return { operator: figures[0], bare: figures[1], otherLoad, complaints: operator.complaints };
  } finally {
    bare.end();
    await operator.stop();
  }
}

/** Lets one work while the other is stopped, for so many turns each; until one of them is nearly through or the time is over, should that come before. */
async function takeTurns(rounds: number, count: () => Promise<CallCounts>, ...players: [Player, Player]): Promise<[PlayerFigures, PlayerFigures]> {
  const state = players.map((player) => ({ player, turns: [] as Turn[], calls: new Map<string, number>() }));
  const end = performance.now() + MAX_TURNS_SECONDS * 1000;
  const isOver = () => state.some(({ player, turns }) => player.applications - player.completed.length <= 1.5 * Math.max(0, ...turns.map(({ done }) => done)));
  let counted = await count();
  // Both have the same number of turns, and neither is always the first.
  for (let round = 0; round < rounds && !isOver() && performance.now() < end; round++) {
    for (const own of round % 2 === 0 ? state : state.toReversed()) {
      own.turns.push(await takeTurn(own.player));
      const now = await count();
      for (const [call, more] of callsBetween(counted, now, 1)) own.calls.set(call, (own.calls.get(call) ?? 0) + more);
      counted = now;
    }
  }
  return state.map(({ turns, calls }) => figuresOf(turns, calls)) as [PlayerFigures, PlayerFigures];
}

/** Lets a player work for one turn, and waits for what it has left to the API server. */
async function takeTurn({ pid, completed }: Player): Promise<Turn> {
  const [began, cpu, before] = [performance.now(), total(cpuOf(pid)!), completed.length];
  process.kill(pid, 'SIGCONT');
  await sleep(TURN);
  process.kill(pid, 'SIGSTOP');
  const time = performance.now() - began;
  await sleep(PAUSE);
  return { time, cpu: total(cpuOf(pid)!) - cpu, done: completed.length - before };
}

/** The bare client's process. */
class BareClient {
  readonly completed: number[] = [];
  private readonly child: ChildProcess;
  private jobs = 0;

  constructor() {
    this.child = fork(join(import.meta.dirname, 'bare-client.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    endWithUs(this.child);
    this.child.on('message', (report: Report) => {
      if ('completed' in report) this.completed.push(report.completed);
      else this.jobs--;
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Gives it applications to work on. */
  work({ installation, workers }: Setting, { script, slots }: Recording, applications: readonly CreatedApplication[]): void {
    this.jobs++;
    this.child.send({ access: installation.serviceAccount, script, slots, namespace: NAMESPACES.bare, applications, workers } satisfies Job);
  }

  /** Resolves when it is through with all of them. */
  async isDone(): Promise<void> {
    for (const end = performance.now() + MAX_PASS_SECONDS * 1000; this.jobs > 0; await sleep(20)) {
      if (this.child.exitCode !== null || this.child.signalCode !== null) throw new Error(`the bare client ended with ${this.child.signalCode ?? this.child.exitCode}`);
      if (performance.now() > end) throw new Error(`the bare client is not through after ${MAX_PASS_SECONDS} s`);
    }
  }

  end(): void {
    this.child.kill('SIGKILL');
  }
}

/** Until the controllers of the cluster are done with what was created: they would slow down what comes next. */
async function settle(seconds = 20): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (let before: Usage = usage(), calm = 0; calm < 2 && performance.now() < end;) {
    await sleep(500);
    const now = usage();
    calm = busyProcessors(before, now).ours < 0.15 ? calm + 1 : 0;
    before = now;
  }
}
