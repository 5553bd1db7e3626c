/*
 * The part of the benchmark that runs in the network of the cluster, where the API server is. A program of its own; its parent sends what to do and
 * gets the figures.
 */
import { execFileSync } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../local-cluster/errors.ts';
import { ApiClient, inParallel } from '../api-client.ts';
import { callsBetween } from '../api-counts.ts';
import { application, APPLICATIONS_PATH } from '../application.ts';
import { measureForParent, type Surroundings } from '../child-program.ts';
import { install } from '../installation.ts';
import { spreadOf } from '../population/timeline.ts';
import { Watch } from '../population/watch.ts';
import { busyProcessors, difference, usage } from '../machine.ts';
import { appears, startOperator } from '../passes.ts';
import type { MinuteFigures } from './measurements.ts';

export interface Task {
  readonly schedules: number;
  readonly workers: number;
  /** The operator's bundle. */
  readonly bundle: string;
  /** Where to put a CPU profile of the operator. @default - none is made */
  readonly profile?: string;
}

const NAMESPACE = 'bench-cron';
const PATH = `${APPLICATIONS_PATH}/${NAMESPACE}`;
const MINUTE = 60_000;
/** What is not there by then does not come. */
const PATIENCE = 3 * MINUTE;
/** Before the minute everything has to be quiet, in milliseconds. */
const CALM = 10_000;

measureForParent<Task, MinuteFigures>(() => 900, measure);

async function measure(task: Task, { folder, progress }: Surroundings): Promise<MinuteFigures> {
  progress('installing the operator');
  const installation = install([NAMESPACE]);
  for (const what of ['jsonpath={.status.conditions}', 'condition=Established']) {
    execFileSync('kubectl', ['wait', 'crd/scheduledsparkapplications.sparkoperator.k8s.io', `--for=${what}`, '--timeout=30s'], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const admin = new ApiClient(installation.admin, 32);
  const operator = startOperator({ ...task, folder, installation }, NAMESPACE, undefined, task.profile);
  const runs = new Map<string, number>();
  const told = new Map<string, number>();
  let submitted = 0;
  let problem: Error | undefined;
  const onEnd = (error: Error) => { problem ??= error; };
  const clock = (at: number) => performance.timeOrigin + at;
  const watches: Watch[] = [];
  try {
    await operator.ready();
    const names = Array.from({ length: task.schedules }, (_, index) => `cron-${String(index).padStart(6, '0')}`);
    progress(`creating ${names.length} schedules`);
    // An hour ahead, so that none is due before all are there.
    const far = new Date(Date.now() + 60 * MINUTE);
    await inParallel(names, 8, async (name) => { await admin.json('POST', `${PATH}/scheduledsparkapplications`, schedule(name, cronOf(far))); });
    await operator.idle(60);
    // The edit of each is a minute's work for the benchmark at most; the next full minutes after it are theirs.
    const due = Math.ceil((Date.now() + task.schedules * 5 + CALM) / MINUTE) * MINUTE;
    progress(`all of them are due at ${new Date(due).toISOString()}`);
    await inParallel(names, 8, async (name) => {
      const { status, text } = await admin.call('PATCH', `${PATH}/scheduledsparkapplications/${name}`, JSON.stringify({ spec: { schedule: cronOf(new Date(due)) } }), 'application/merge-patch+json');
      if (status > 299) throw new Error(`PATCH ${name}: ${status} ${text.slice(0, 500)}`);
    });
    await operator.idle(60);
    if (Date.now() > due - 1_000) throw new ToolError('the schedules were not ready before their minute; the machine is too slow or too busy for that many');
    watches.push(
      await Watch.open({
        admin, access: installation.admin, path: `${PATH}/sparkapplications`, onEnd, onChange: ({ type, object, at }) => {
          if (type === 'ADDED') runs.set(object.metadata.name, clock(at) - due);
          else if (object.status?.applicationState?.state === 'SUBMITTED' && runs.size < task.schedules) submitted++;
        },
      }),
      await Watch.open({
        admin, access: installation.admin, path: `${PATH}/scheduledsparkapplications`, onEnd, onChange: ({ object, at }) => {
          if (object.status?.lastRunName && !told.has(object.metadata.name)) told.set(object.metadata.name, clock(at) - due);
        },
      }),
    );
    await sleep(Math.max(0, due - 500 - Date.now()));
    const [callsBefore, usageBefore, cpuBefore] = [(await operator.metrics()).calls, usage(), operator.cpu()];
    const lateness = monitorEventLoopDelay({ resolution: 10 });
    if (task.profile) operator.signal('SIGUSR2');
    lateness.enable();
    while (runs.size < names.length || told.size < names.length) {
      await sleep(50);
      if (problem) throw problem;
      operator.cpu(); // throws when it is gone
      if (Date.now() > due + PATIENCE) throw new ToolError([`${runs.size} of ${names.length} schedules were run`, ...operator.complaints.slice(0, 3)].join('\n'));
    }
    lateness.disable();
    const usageAfter = usage();
    const cpu = difference(operator.cpu(), cpuBefore);
    const calls = Object.fromEntries(callsBetween(callsBefore, (await operator.metrics()).calls, 1));
    if (task.profile) {
      operator.signal('SIGUSR2');
      await appears(task.profile);
    }
    return {
      runs: runs.size,
      lag: spreadOf([...runs.values()]),
      statusLag: spreadOf([...told.values()]),
      submitted,
      cpu,
      calls,
      otherLoad: busyProcessors(usageBefore, usageAfter).others,
      lateness: lateness.percentile(99) / 1e6,
      complaints: operator.complaints,
    };
  } finally {
    for (const watch of watches) watch.close();
    await operator.stop();
  }
}

/** That minute, each year. */
function cronOf(time: Date): string {
  return `${time.getUTCMinutes()} ${time.getUTCHours()} ${time.getUTCDate()} ${time.getUTCMonth() + 1} *`;
}

function schedule(name: string, cron: string): object {
  const { spec } = application(NAMESPACE, name) as any;
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'ScheduledSparkApplication',
    metadata: { name, namespace: NAMESPACE, labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'bench' } },
    spec: { schedule: cron, timeZone: 'UTC', template: spec },
  };
}
