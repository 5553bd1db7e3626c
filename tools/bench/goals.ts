import type { Calls, Figures, FiguresFile, Measured } from './figures.ts';
import { isFigure, kibibytes, mebibytes, number, percent, short, time } from './format.ts';
import { slowness } from './speed.ts';

/** A goal, and the figure that was measured for it. */
export interface Goal {
  /** Short and stable: docs/explain/benchmarks.md explains a missed goal under a heading of this name. */
  readonly name: string;
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  readonly met: boolean;
  /** Whether the figures come from a slow hour of the machine. @default false */
  readonly isSlow?: boolean;
}

/** Rate of reviews that the webhook has to answer. */
export const WEBHOOK_RATE = 500;

/** Milliseconds to the driver, p99, by applications created in a second. */
const PACES: Readonly<Record<number, number>> = { 20: 100, 40: 250 };

const MIB = 1024 * 1024;
const OURS = ' (our own)';
/** Counts are averages: one more call for one of a hundred applications is none for each. */
const ROUNDING = 0.005;

const STATUS = 'PUT sparkapplications/status';

/** Returns the goals of all measured scenarios, in the order of the table. */
export function goalsOf({ scenarios, fastest }: FiguresFile): Goal[] {
  const { submission, paces, population, finished, neighbours, scheduled, webhook, synth } = scenarios;
  const marked = (measured: Measured, goals: readonly Goal[]) => {
    const isSlow = slowness(measured, fastest?.[measured.processor]).length > 0;
    return isSlow ? goals.map((goal) => ({ ...goal, isSlow })) : goals;
  };
  return [
    ...(submission ? marked(submission, submissionGoals(submission.figures)) : []),
    ...(paces ? marked(paces, pacesGoals(paces.figures)) : []),
    ...(population ? marked(population, populationGoals(population.figures)) : []),
    ...(finished ? marked(finished, [finishedGoal(finished.figures)]) : []),
    ...(neighbours ? marked(neighbours, neighboursGoals(neighbours.figures)) : []),
    ...(scheduled ? marked(scheduled, [scheduledGoal(scheduled.figures)]) : []),
    ...(webhook ? marked(webhook, [webhookGoal(webhook.figures)]) : []),
    ...(synth ? marked(synth, synthGoals(synth.figures)) : []),
  ];
}

function submissionGoals({ rate, cpu, created, calls, sparkVersion }: Figures['submission']): Goal[] {
  const share = rate.operator / rate.bareClient;
  const times = rate.operator / rate.sparkSubmit;
  const cost = ratioOf(cpu.operator, cpu.bareClient);
  const sum = Object.values(calls).reduce((total, count) => total + (count ?? NaN), 0);
  return [
    {
      name: 'Submission rate', what: 'Submissions a minute',
      goal: 'at least 4,000', measured: short(rate.operator), met: isAtLeast(rate.operator, 4000),
    },
    {
      name: 'Bare client', what: 'Submissions a minute, as a share of those of a bare client',
      goal: 'at least 60 %', measured: `${percent(share)} (${short(rate.operator)} of ${short(rate.bareClient)})`,
      met: isAtLeast(share, 0.6),
    },
    {
      name: 'spark-submit', what: `Submissions a minute, as a multiple of those of spark-submit ${sparkVersion}`,
      goal: 'at least 200 times', measured: `${number(times)} times (${short(rate.operator)} to ${short(rate.sparkSubmit)})`,
      met: isAtLeast(times, 200),
    },
    {
      name: 'Calls of a submission', what: 'Calls of the operator for one submission, with its event',
      goal: 'at most 5', measured: number(sum, 2), met: isAtMost(sum, 5),
    },
    {
      name: 'CPU time of a submission', what: 'CPU time of the operator for one submission, while applications are created',
      goal: '< 5 ms', measured: time(created.cpu), met: isLess(created.cpu, 5),
    },
    {
      name: 'CPU time of the calls', what: 'CPU time of the operator for one submission, as a multiple of that of a bare client',
      goal: 'at most 1.6 times', measured: `${number(cost, 2)} times (${time(cpu.operator)} to ${time(cpu.bareClient)})`,
      met: isAtMost(cost, 1.6),
    },
  ];
}

function pacesGoals(paces: Figures['paces']): Goal[] {
  return paces.map(({ perSecond, toDriver: { p99 } }) => {
    const goal = PACES[perSecond] ?? NaN;
    return {
      name: `Creation to driver at ${perSecond} a second`, what: `Creation to driver Pod at ${perSecond} applications a second, without executors, p99`,
      goal: `< ${time(goal)}`, measured: time(p99), met: isLess(p99, goal),
    };
  });
}

function populationGoals(figures: Figures['population']): Goal[] {
  const { applications, pods, executors, lifecycle, fill, steady, restart } = figures;
  const population = `${number(applications)} applications and ${number(pods)} pods`;
  const { claims, status, created, deleted, changes } = writesOf(lifecycle.calls);
  const memory = isFigure(steady.memory) && isFigure(restart.memory) ? Math.max(steady.memory, restart.memory) : NaN;
  const [small, large] = [fill[0]!, fill.at(-1)!];
  const growth = isFigure(large.received) ? large.received / small.received : NaN;
  return [
    {
      name: 'Status lag of drivers', what: `Status lag of drivers with ${number(applications)} running applications, p99`,
      goal: '< 1 s', measured: time(steady.lag.p99), met: isLess(steady.lag.p99, 1000),
    },
    {
      name: 'Status lag of executors', what: 'Status lag of executors, whose changes the operator collects for five seconds, p99',
      goal: `< 6 s${OURS}`, measured: time(steady.executorLag.p99), met: isLess(steady.executorLag.p99, 6000),
    },
    {
      name: 'Status writes',
      what: `Status writes for an application with ${executors} executors until COMPLETED, without the first, which claims it`,
      goal: 'at most 4', measured: number(status, 2), met: isAtMost(status, 4),
    },
    {
      name: 'Other writes', what: 'Other writes for it without events: claims · changes of existing objects',
      goal: 'at most 1 · none',
      measured: `${number(claims, 2)} · ${number(changes, 2)} (created: ${number(created, 2)}; deleted: ${number(deleted, 2)})`,
      met: isAtMost(claims, 1) && isAtMost(changes, 0),
    },
    {
      name: 'Memory', what: `Steady memory with ${population}, the higher value around a restart`,
      goal: '< 250 MiB', measured: `${mebibytes(memory)} (${mebibytes(steady.memory)}, ${mebibytes(restart.memory)})`,
      met: isLess(memory, 250 * MIB),
    },
    {
      name: 'Restart', what: `Restart to caught up beside ${population}`,
      goal: '< 15 s', measured: time(restart.caughtUp), met: isLess(restart.caughtUp, 15_000),
    },
    {
      name: 'Reading with size',
      what: `Bytes read for an application among ${number(large.applications)}, as a multiple of those among ${number(small.applications)}`,
      goal: `at most 1.2 times${OURS}`,
      measured: `${number(growth, 2)} times (${kibibytes(large.received)} to ${kibibytes(small.received)})`,
      met: isAtMost(growth, 1.2),
    },
  ];
}

/**
 * Sorts the writes for one application. The counters do not mark the first status write of an attempt, which
 * claims the application. Each attempt has one, and one driver Pod, so that many status writes are claims.
 */
function writesOf(calls: Calls): Record<'claims' | 'status' | 'created' | 'deleted' | 'changes', number> {
  const sum = (matches: (method: string, call: string) => boolean) => Object.entries(calls)
    .filter(([call]) => !call.endsWith(' events') && matches(call.split(' ')[0]!, call))
    .reduce((total, [, count]) => total + (count ?? NaN), 0);
  const status = sum((_, call) => call === STATUS);
  const claims = Math.min(status, sum((_, call) => call === 'POST pods'));
  return {
    claims,
    status: status - claims,
    created: sum((method) => method === 'POST'),
    deleted: sum((method) => method === 'DELETE'),
    changes: sum((method, call) => ['PUT', 'PATCH'].includes(method) && call !== STATUS),
  };
}

function finishedGoal({ applications, finished, alone, beside }: Figures['finished']): Goal {
  const growth = ratioOf(beside.cpu, alone.cpu);
  return {
    name: 'Finished applications',
    what: `CPU time for one of ${number(applications)} applications beside ${number(finished)} finished ones, as a multiple of that without them`,
    goal: 'at most 1.1 times', measured: `${number(growth, 2)} times (${time(beside.cpu)} to ${time(alone.cpu)})`, met: isAtMost(growth, 1.1),
  };
}

function neighboursGoals({ flood, alone, beside, peakMemory }: Figures['neighbours']): Goal[] {
  const other = `a namespace that creates ${number(flood.applications)} applications, ${number(flood.huge)} of them huge`;
  return [
    {
      name: 'Neighbours', what: `Creation to driver Pod beside ${other}, p99`,
      goal: '< 1 s', measured: `${time(beside.p99)} (${time(alone.p99)} before)`, met: isLess(beside.p99, 1000),
    },
    {
      name: 'Memory of a flood', what: `Peak memory beside ${other}`,
      goal: '< 512 MiB', measured: mebibytes(peakMemory), met: isLess(peakMemory, 512 * MIB),
    },
  ];
}

function scheduledGoal({ schedules, lag }: Figures['scheduled']): Goal {
  return {
    name: 'Schedules', what: `Last run of ${number(schedules)} schedules that are due at the same minute`,
    goal: `at most 10 s${OURS}`, measured: time(lag.max), met: isAtMost(lag.max, 10_000),
  };
}

function webhookGoal({ rate, latency, failures }: Figures['webhook']): Goal {
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  return {
    name: 'Webhook', what: `Latency of the webhook at ${number(rate)} reviews a second, p99 · failures`,
    goal: `< 50 ms · none at ${WEBHOOK_RATE} a second`, measured: `${time(latency.p99)} · ${number(failed)}`,
    met: rate >= WEBHOOK_RATE && isLess(latency.p99, 50) && failed === 0,
  };
}

function synthGoals(sizes: Figures['synth']): Goal[] {
  return sizes.filter(({ applications }) => applications === 1000).map(({ applications, whole }) => ({
    name: 'Synthesizing', what: `Synthesizing ${number(applications)} applications, start of Node included`,
    goal: '< 5 s', measured: time(whole), met: isLess(whole, 5000),
  }));
}

function ratioOf(value: number, base: number): number {
  return isFigure(value) && isFigure(base) ? value / base : NaN;
}

/** A missing figure meets no goal; JSON has null for it. */
function isLess(value: number, goal: number): boolean {
  return isFigure(value) && value < goal;
}

function isAtLeast(value: number, goal: number): boolean {
  return isFigure(value) && value >= goal;
}

function isAtMost(value: number, goal: number): boolean {
  return isFigure(value) && value <= goal + ROUNDING;
}
