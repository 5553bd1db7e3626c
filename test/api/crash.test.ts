/*
 * A crash at each call: the operator is killed at every single call of the API server, in turn, and started again; at those that write, before and after
 * the API server has done it. Whatever the moment, the application ends in the same way, and each attempt has one driver.
 */
import { isDeepStrictEqual } from 'node:util';
import { ApiServer } from '../helpers/api-server';
import { Lane, LASTING_LEASE } from './helpers/lane';
import { Onlooker } from './helpers/onlooker';
import { AS_IT_SHOULD, isOver, kindOf, kubelet, outcomeOf, pathOf, retryApplication, settled, type Outcome } from './helpers/retry-run';
import type { FaultProxy, ProxiedCall } from '../helpers/fault-proxy';
import { install, type Installation } from '../helpers/installation';
import type { OperatorProcess } from '../helpers/operator-process';

const NAMESPACES = Array.from({ length: 8 }, (_, index) => `crash-jobs-${index}`);
/** For one run; it takes about four on a machine that is not busy. */
const SECONDS = 240;
/** Runs until a call comes: FAILING is only written if the wait for the next attempt is not over by then. It is longer in each. */
const TRIES = 4;

const IS_READ = /^(get|list|watch) /;

/** A call, by what it is and how many of its kind there were: calls that are made at the same time come in any order. */
interface Moment {
  readonly call: string;
  readonly when: 'before' | 'after';
}

let installation: Installation;
let api: ApiServer;
let onlooker: Onlooker;
let lanes: Lane[] = [];
/** The calls of a run in which nothing happens. */
let calls: readonly string[] = [];
let names = 0;

beforeAll(async () => {
  installation = await install('crash', { jobNamespaces: NAMESPACES });
  api = new ApiServer();
  onlooker = new Onlooker();
  lanes = await Promise.all(NAMESPACES.map((namespace) => Lane.open(api, installation, namespace)));
});

afterAll(async () => {
  await Promise.all(lanes.map((lane) => lane.close()));
  onlooker?.close();
  await Promise.all(NAMESPACES.map((namespace) => api?.call('DELETE', `/api/v1/namespaces/${namespace}`)));
  api?.close();
  await installation?.remove();
});

test('runs with a retry in which nothing happens', async () => {
  const runs = await Promise.all(lanes.map((lane) => runOnce(lane)));
  calls = usual(runs.map((run) => run.calls));
  console.info(`${calls.length} calls: ${calls.join(', ')}`);

  expect(runs.map(({ outcome }) => outcome)).toEqual(runs.map(() => AS_IT_SHOULD));
  expect(calls.length).toBeGreaterThan(30);
  expect(calls.length).toBeLessThan(60);
});

test('a crash at any of their calls', async () => {
  // A read changes nothing: after it the cluster is as before the next call.
  const moments = calls.flatMap((call): Moment[] => [{ call, when: 'before' }, ...IS_READ.test(call) ? [] : [{ call, when: 'after' } as const]]);
  const left = [...moments];
  const otherwise: Record<string, unknown> = {};
  const missed: string[] = [];
  const begun = Date.now();
  await Promise.all(lanes.map(async (lane) => {
    for (let moment = left.shift(); moment; moment = left.shift()) {
      const outcome = await crashAt(lane, moment).catch((error: Error) => error.message);
      if (outcome === undefined) missed.push(`${moment.when} ${moment.call}`);
      else if (!isDeepStrictEqual(outcome, AS_IT_SHOULD)) otherwise[`${moment.when} ${moment.call}`] = outcome;
    }
  }));
  console.info(`${moments.length} crashes in ${Math.round((Date.now() - begun) / 1000)} s${missed.length > 0 ? `, and none at calls that did not come: ${missed.join(', ')}` : ''}`);

  expect(moments.length).toBeGreaterThan(50);
  expect(otherwise).toEqual({});
  // A call that only follows on another's bad luck, such as the look at what exists already, is not in each run.
  expect(missed.length).toBeLessThanOrEqual(moments.length / 20);
}, 600_000);

/** The calls of most runs. FAILING is written in some. */
function usual(runs: readonly (readonly string[])[]): string[] {
  const all = [...new Set([...runs].sort((a, b) => b.length - a.length).flat())];
  return all.filter((call) => /FAILING/.test(call) || runs.filter((run) => run.includes(call)).length > runs.length / 2);
}

/** Runs an application with a crash; undefined if there is no such call in several runs. */
async function crashAt(lane: Lane, moment: Moment): Promise<Outcome | undefined> {
  for (let interval = 1; interval <= TRIES; interval++) {
    const { outcome, crashed } = await runOnce(lane, moment, interval);
    if (crashed) return outcome;
  }
  return undefined;
}

/** A run of an application. */
interface Run {
  readonly outcome: Outcome;
  readonly calls: string[];
  readonly crashed: boolean;
}

/** Runs an application from its creation to its end; at the given moment the operator is killed, and started again. */
async function runOnce(lane: Lane, moment?: Moment, interval?: number): Promise<Run> {
  const name = `crash-${names++}`;
  try {
    return await complete(lane, name, moment, interval);
  } finally {
    await lane.reset();
    await api.must('DELETE', `${pathOf(lane.namespace, name)}?propagationPolicy=Background`);
  }
}

async function complete(lane: Lane, name: string, moment?: Moment, interval?: number): Promise<Run> {
  const { namespace } = lane;
  const proxy = await lane.proxy();
  await api.must('POST', pathOf(namespace), retryApplication(namespace, name, interval));
  let restarted: Promise<OperatorProcess> | undefined;
  const seen = record(proxy, moment, () => {
    proxy.rule = (exchange) => exchange.pass();
    restarted = restart(lane, proxy, operator);
    restarted.catch(() => {}); // Awaited below.
  });
  const operator = lane.start(proxy, { flags: LASTING_LEASE });
  // While the operator is dead, drivers continue.
  await onlooker.until(namespace, name, isOver, SECONDS, kubelet(onlooker, { isHasty: () => restarted !== undefined }));
  await settled(api, onlooker, namespace, name);
  // The operator finishes its current work when it is asked to stop, and might crash meanwhile.
  await operator.stop();
  // The restarted operator reconciles the application once more, and leaves it unchanged.
  await (await (await restarted)?.ready())?.stop();
  const outcome = await outcomeOf(api, onlooker, namespace, name);
  return { outcome, calls: seen, crashed: restarted !== undefined };
}

/** Kills an operator, and starts another. The Lease lasts longer than any pause of a busy machine, and is deleted here in place of expiring. */
async function restart(lane: Lane, proxy: FaultProxy, operator: OperatorProcess): Promise<OperatorProcess> {
  await operator.stop('SIGKILL');
  await api.must('DELETE', `/apis/coordination.k8s.io/v1/namespaces/${lane.namespace}/leases`);
  return lane.start(proxy, { flags: LASTING_LEASE });
}

/** Notes the calls, and lets the operator crash at the given moment. */
function record(proxy: FaultProxy, moment: Moment | undefined, crash: () => void): string[] {
  const seen: string[] = [];
  const counts = new Map<string, number>();
  proxy.rule = async (exchange) => {
    const kind = kindOf(exchange.call);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (!isCounted(exchange.call, count)) return exchange.pass();
    const call = `${kind} #${count}`;
    seen.push(call);
    if (call !== moment?.call) return exchange.pass();
    if (moment.when === 'after') await exchange.forward();
    crash();
    exchange.drop();
  };
  return seen;
}

/** Events are written behind, and the Lease is renewed by the clock: at any moment. */
function isCounted({ resource, verb }: ProxiedCall, count: number): boolean {
  if (resource === 'events') return false;
  return resource !== 'leases' || (count === 1 && verb !== 'watch');
}
