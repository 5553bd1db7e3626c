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

/** Operator and bare client take turns of this many milliseconds, so that whatever else happens on the machine hits both. */
const TURN = 2_000;
/** All turns together take no longer. */
const MAX_TURNS_SECONDS = 60;
/** Between two turns, for what the one before has left to the API server. */
const PAUSE = 200;

/** Somebody who works on applications, and can be stopped. */
interface Player {
  readonly pid: number;
  /** When each application was through, in milliseconds since the epoch. */
  readonly completed: readonly number[];
  /** Applications in all. */
  readonly applications: number;
}

/** What a player did in its turns. */
export interface TurnFigures {
  readonly perSecond: number;
  /** CPU time for one application in milliseconds. */
  readonly cpu: number;
  readonly applications: number;
}

export interface RateFigures {
  readonly operator: TurnFigures;
  readonly bare: TurnFigures;
  /** Calls of the bare client for one application by the API server's count, with what others called meanwhile. */
  readonly bareCalls: CallCounts;
  readonly otherLoad: number;
  readonly complaints: readonly string[];
}

/** The operator and the bare client on applications that are there already: how many they get through in a second. */
export async function compareRates(setting: Setting, recording: Recording): Promise<RateFigures> {
  const { admin, warmUp, progress } = setting;
  // Rates need fewer than CPU times.
  const applications = Math.ceil(setting.applications / 2);
  const count = warmUp + applications;
  progress(`creating ${2 * count} applications for the comparison of rates`);
  await createApplications(admin, NAMESPACES.pile, 0, count);
  const forBare = await createApplications(admin, NAMESPACES.bare, 0, count);

  const bare = new BareClient();
  const operator = startOperator(setting, NAMESPACES.pile);
  operator.signal('SIGSTOP');
  try {
    progress(`warming up the bare client with ${warmUp} applications`);
    await settle();
    const before = await countCalls(admin);
    bare.work(setting, recording, forBare.slice(0, warmUp));
    await bare.isDone();
    const bareCalls = callsBetween(before, await countCalls(admin), warmUp);

    progress(`warming up the operator with ${warmUp} applications`);
    operator.signal('SIGCONT');
    await operator.hasSubmitted(warmUp, MAX_PASS_SECONDS);
    operator.signal('SIGSTOP');
    process.kill(bare.pid, 'SIGSTOP');
    bare.work(setting, recording, forBare.slice(warmUp));
    await settle();

    progress(`taking turns on ${applications} applications each`);
    const usageBefore = usage();
    const figures = await takeTurns(
      { pid: operator.pid, completed: operator.submitted, applications: count }, { pid: bare.pid, completed: bare.completed, applications: count },
    );
    const otherLoad = busyProcessors(usageBefore, usage()).others;
    await checkSubmitted(admin, NAMESPACES.pile, operator.submitted.length);
    await checkSubmitted(admin, NAMESPACES.bare, bare.completed.length);
    return { operator: figures[0], bare: figures[1], bareCalls, otherLoad, complaints: operator.complaints };
  } finally {
    bare.end();
    await operator.stop();
  }
}

/** Lets one work while the other is stopped, until one of them is nearly through or the time is over. */
async function takeTurns(...players: [Player, Player]): Promise<[TurnFigures, TurnFigures]> {
  const state = players.map((player) => ({ player, from: player.completed.length, time: 0, cpu: 0, most: 0 }));
  const end = performance.now() + MAX_TURNS_SECONDS * 1000;
  const isOver = () => state.some(({ player, most }) => player.applications - player.completed.length <= 1.5 * most);
  // Both have the same number of turns, and neither is always the first.
  for (let round = 0; !isOver() && performance.now() < end; round++) {
    for (const own of round % 2 === 0 ? state : state.toReversed()) {
      const { player } = own;
      const [began, cpu, done] = [performance.now(), total(cpuOf(player.pid)!), player.completed.length];
      process.kill(player.pid, 'SIGCONT');
      await sleep(TURN);
      process.kill(player.pid, 'SIGSTOP');
      own.time += performance.now() - began;
      await sleep(PAUSE);
      own.cpu += total(cpuOf(player.pid)!) - cpu;
      own.most = Math.max(own.most, player.completed.length - done);
    }
  }
  return state.map(({ player, from, time, cpu }) => {
    const applications = player.completed.length - from;
    return { perSecond: applications * 1000 / time, cpu: cpu / applications, applications };
  }) as [TurnFigures, TurnFigures];
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
      if ('completed' in report) this.completed.push(...report.completed);
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
