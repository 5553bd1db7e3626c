import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ApiClient } from '../api-client.ts';
import {
  application, APPLICATION_LABEL, applicationsPath, createAll, createNode, newNames, watchDrivers, type CreatedApplication,
} from '../applications.ts';
import type { Context } from '../context.ts';
import { callsForOne, type Calls, type Figures } from '../figures.ts';
import { measureLoad, type Load } from '../load.ts';
import { processorsBusy, usage } from '../machine.ts';
import type { Operator } from '../operator.ts';
import type { Job } from '../submission/bare-client.ts';
import { startRecorder } from '../submission/recorder.ts';
import { scriptedCalls, scriptOf, type Script } from '../submission/script.ts';
import { measureSparkSubmit, SPARK_VERSION } from '../submission/spark-submit.ts';
import { settle, takeTurns, TURN, type TurnFigures } from '../submission/turns.ts';

/** A namespace for each phase, so that none meets objects of another. All names have the same length. */
const [RECORD, LIVE, PILE, BARE] = ['bench-take', 'bench-live', 'bench-pile', 'bench-bare'] as const;
export const NAMESPACES = [RECORD, LIVE, PILE, BARE];

const SIZES = {
  full: { applications: 500, warmUp: 300, turns: 16, sparkSubmits: 10 },
  quick: { applications: 300, warmUp: 150, turns: 6, sparkSubmits: 4 },
} as const;

/** Chance decides about fewer turns. */
const MIN_TURNS = 15;
/** Seconds for one phase. */
const PATIENCE = 240;
/** Applications for the turns, as a multiple of those that the rate of creation would need. */
const STOCK = { operator: 1.5, bareClient: 2 } as const;
/** Calls of the operator and of the script that differ by more are not the same. */
const MAX_DIFFERENCE = 0.02;
/** Applications that can have a driver and no status yet: one for each worker. */
const UNDER_WAY = 10;

/** The context, and what all phases share. */
interface Setting {
  readonly context: Context;
  readonly sizes: typeof SIZES.full | typeof SIZES.quick;
  readonly creator: ApiClient;
  /** Counts the drivers of a namespace. */
  readonly submitted: (namespace: string) => number;
}

/** The operator beside a client that makes the same calls, and beside spark-submit. */
export async function submission(context: Context): Promise<Figures['submission']> {
  const sizes = SIZES[context.task.quick ? 'quick' : 'full'];
  await createNode(context);
  const drivers = new Map<string, Set<string>>(NAMESPACES.map((namespace) => [namespace, new Set()]));
  await watchDrivers(context, ({ metadata: { namespace, labels } }) => void drivers.get(namespace)?.add(labels[APPLICATION_LABEL]));
  const setting: Setting = {
    context, sizes, creator: new ApiClient(context.installation.admin, 8), submitted: (namespace) => drivers.get(namespace)!.size,
  };

  const script = await record(setting);
  const created = await whileCreated(setting);
  const calls = callsForOne(created.calls, sizes.applications);
  compareCalls(context, calls, scriptedCalls(script));
  const [operator, bareClient] = await inTurns(setting, script, created.perSecond);
  const sparkSubmit = await measureSparkSubmit(context, sizes.sparkSubmits);
  return {
    rate: { operator: operator.rate, bareClient: bareClient.rate, sparkSubmit: sparkSubmit.rate },
    cpu: { operator: operator.cpu, bareClient: bareClient.cpu, sparkSubmit: sparkSubmit.cpu },
    created: { rate: created.perSecond * 60, cpu: created.cpu / sizes.applications },
    calls,
    sparkVersion: SPARK_VERSION,
  };
}

function compareCalls(context: Context, operator: Calls, script: Calls): void {
  for (const call of new Set([...Object.keys(operator), ...Object.keys(script)])) {
    const [own, scripted] = [operator[call] ?? 0, script[call] ?? 0];
    if (Math.abs(own - scripted) <= MAX_DIFFERENCE) continue;
    context.doubt(`the bare client makes ${scripted} × ${call}, the operator ${own.toFixed(2)}`);
  }
}

/** Records what the operator sends for one application. */
async function record(setting: Setting): Promise<Script> {
  const { context } = setting;
  context.progress('recording the calls of a submission');
  const recorder = await startRecorder(context.installation.serviceAccount);
  const operator = await context.startOperator([RECORD], recorder.url);
  try {
    // The first ones wait for connections, which changes what overlaps.
    for (let index = 0; ; index++) {
      recorder.take();
      const [created] = await create(setting, RECORD, index, 1);
      await hasSubmitted(setting, operator, RECORD, index + 1, 20);
      await operator.idle();
      if (index === 4) return scriptOf(recorder.take(), created!);
    }
  } finally {
    await operator.stop();
    recorder.close();
  }
}

/** Measures the operator while applications are created. */
async function whileCreated(setting: Setting): Promise<Load & { readonly perSecond: number }> {
  const { context, sizes: { applications, warmUp } } = setting;
  const operator = await context.startOperator([LIVE]);
  context.progress(`warming up with ${warmUp} applications`);
  await create(setting, LIVE, 0, warmUp);
  await hasSubmitted(setting, operator, LIVE, warmUp);
  await operator.idle();

  context.progress(`${applications} applications, created as fast as possible`);
  const [, load] = await measureLoad(context, operator, 'while created', async () => {
    await create(setting, LIVE, warmUp, applications);
    await hasSubmitted(setting, operator, LIVE, warmUp + applications);
  });
  await operator.stop();
  await checkSubmitted(context, LIVE, warmUp + applications);
  return { ...load, perSecond: applications * 1000 / load.milliseconds };
}

/** Lets operator and bare client take turns on applications that exist already. @param expected rate of the operator a second */
async function inTurns(setting: Setting, script: Script, expected: number): Promise<readonly [TurnFigures, TurnFigures]> {
  const { context, sizes: { warmUp, turns }, submitted } = setting;
  const stock = (times: number) => warmUp + Math.ceil(times * expected * turns * TURN / 1000);
  const counts = { operator: stock(STOCK.operator), bareClient: stock(STOCK.bareClient) };
  context.progress(`creating ${counts.operator + counts.bareClient} applications for the comparison of rates`);
  await create(setting, PILE, 0, counts.operator);
  const forBare = await create(setting, BARE, 0, counts.bareClient);

  const bareClient = new BareClient(context, script);
  const operator = await context.spawnOperator([PILE]);
  operator.signal('SIGSTOP');
  try {
    context.progress(`warming up both with ${warmUp} applications`);
    await settle();
    bareClient.send(forBare.slice(0, warmUp));
    await bareClient.isDone();
    operator.signal('SIGCONT');
    await hasSubmitted(setting, operator, PILE, warmUp);
    operator.signal('SIGSTOP');
    process.kill(bareClient.pid, 'SIGSTOP');
    bareClient.send(forBare.slice(warmUp));
    await settle();

    context.progress(`${turns} turns each, of ${TURN / 1000} s`);
    const before = usage();
    const figures = await takeTurns([
      { pid: operator.pid, namespace: PILE, applications: counts.operator },
      { pid: bareClient.pid, namespace: BARE, applications: counts.bareClient },
    ], turns, submitted);
    context.doubtLoad('turns', processorsBusy(before, usage()));
    if (figures[0].rounds < MIN_TURNS) context.doubt(`rates were compared in only ${figures[0].rounds} turns of each`);
    for (const namespace of [PILE, BARE]) await checkSubmitted(context, namespace, submitted(namespace));
    return figures;
  } finally {
    bareClient.end();
    await operator.stop();
  }
}

function create({ creator }: Setting, namespace: string, first: number, count: number): Promise<CreatedApplication[]> {
  return createAll(creator, newNames('bench', first, count).map((name) => application({ namespace, name })));
}

async function hasSubmitted(
  { context, submitted }: Setting, operator: Operator, namespace: string, count: number, seconds = PATIENCE,
): Promise<void> {
  const describe = () => `${submitted(namespace)} of ${count} applications have a driver`;
  await context.until(operator, () => submitted(namespace) >= count, seconds, describe);
}

/** @throws Error if fewer drivers exist, or fewer applications are SUBMITTED, than were counted */
async function checkSubmitted({ admin }: Context, namespace: string, counted: number): Promise<void> {
  const applications = await admin.json('GET', applicationsPath(namespace));
  const pods = await admin.json('GET', `/api/v1/namespaces/${namespace}/pods`);
  const submitted = applications.items.filter((item: any) => item.status?.applicationState?.state === 'SUBMITTED').length;
  if (submitted < counted - UNDER_WAY || pods.items.length < counted) {
    throw new Error(`${namespace} has ${submitted} SUBMITTED applications and ${pods.items.length} drivers, not ${counted}`);
  }
}

/** The bare client's process. */
class BareClient {
  private readonly child: ChildProcess;
  private readonly job: Omit<Job, 'applications'>;

  constructor({ installation: { serviceAccount: access } }: Context, script: Script) {
    this.job = { access, script };
    this.child = fork(join(import.meta.dirname, '../submission/bare-client.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  get pid(): number {
    return this.child.pid!;
  }

  send(applications: readonly CreatedApplication[]): void {
    this.child.send({ ...this.job, applications } satisfies Job);
  }

  /** Resolves when it is done with its applications. */
  async isDone(): Promise<void> {
    const ended = once(this.child, 'exit').then(([code, signal]): never => {
      throw new Error(`the bare client ended with ${signal ?? code}`);
    });
    ended.catch(() => undefined); // later it is killed
    await Promise.race([once(this.child, 'message', { signal: AbortSignal.timeout(PATIENCE * 1000) }), ended]);
  }

  end(): void {
    this.child.kill('SIGKILL');
  }
}
