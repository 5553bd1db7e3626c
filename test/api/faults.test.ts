/*
 * Faults of networks, API servers, users and other leaders, against a real API server. With each fault the application ends as it should, and each attempt has
 * one driver. Most of the time is spent waiting, so all runs go side by side; the tests check their outcomes.
 */
import { join } from 'node:path';
import { ApiServer } from '../helpers/api-server';
import { Lane, LONGER_LEASE } from './helpers/lane';
import { Onlooker, stateOf, summary, type Sight } from './helpers/onlooker';
import { AS_IT_SHOULD, isOver, kindOf, kubelet, pathOf, retryApplication, settled, type KubeletOptions, type Outcome } from './helpers/retry-run';
import { SecondApiServer } from './helpers/second-api-server';
import type { Exchange, FaultProxy, OpenWatch, ProxiedCall, Rule } from '../helpers/fault-proxy';
import { install, type Installation } from '../helpers/installation';
import { kubectl } from '../helpers/kubectl';
import type { OperatorProcess } from '../helpers/operator-process';
import { LABEL_SUBMISSION_ID } from '../../src/api/labels';

const NAMESPACES = Array.from({ length: 6 }, (_, index) => `faults-jobs-${index}`);
/** Enough on a busy machine, where an API server takes most of a minute to start. */
const SECONDS = 240;
const HURRIED = { NODE_OPTIONS: `--import=${join(__dirname, 'helpers/hurry.ts')} --disable-warning=ExperimentalWarning` };

let installation: Installation;
let api: ApiServer;
let onlooker: Onlooker;
let lanes: Lane[] = [];
let names = 0;
let second: SecondApiServer;

/** A run of an application with a retry. */
interface Run {
  readonly lane: Lane;
  readonly namespace: string;
  readonly name: string;
  readonly proxy: FaultProxy;
  /** The operator behind the proxy, the only one unless more are started. */
  readonly operator: OperatorProcess;
  /** Waits until something is as expected. */
  until(fits: (sight: Sight) => boolean): Promise<Sight>;
}

/** Whether the driver exists. The status precedes it by milliseconds. */
function isSubmitted(sight: Sight): boolean {
  return stateOf(sight) === 'SUBMITTED' && sight.drivers.length > 0;
}

interface Play extends KubeletOptions {
  /** Rule for calls. @default - they are passed on */
  readonly rule?: Rule;
  /** Whether another operator takes over meanwhile: then the Lease of the first one is as short as it may be. @default false */
  readonly isOvertaken?: boolean;
  /** Whether long times are short. @default false */
  readonly isHurried?: boolean;
  /** Credentials of the operator. @default - those of the installation */
  readonly user?: (lane: Lane) => Promise<object>;
  /** The API server that the operator talks to. @default - that of the tests */
  readonly upstream?: () => Promise<string>;
  /** Checks that the fault has happened. */
  readonly check?: () => void;
  /** Runs beside the application, for instance to cause the fault. */
  readonly during?: (run: Run) => Promise<unknown>;
  /** Seconds between the attempts. @default 1 */
  readonly interval?: number;
  /** @default - that of a run in which nothing happens */
  readonly expected?: Outcome;
}

/** Runs an application with a retry to its end. */
async function play(
  lane: Lane, { rule, isOvertaken, isHurried, user, upstream, check, during, interval, expected = AS_IT_SHOULD, ...options }: Play,
): Promise<Outcome> {
  const { namespace } = lane;
  const name = `fault-${names++}`;
  const proxy = await lane.proxy();
  if (rule) proxy.rule = rule;
  if (upstream) proxy.leadTo(await upstream());
  await api.must('POST', pathOf(namespace), retryApplication(namespace, name, interval));
  const credentials = await user?.(lane);
  const flags = isOvertaken ? [] : LONGER_LEASE;
  const operator = lane.start(proxy, { environment: { ...isHurried && HURRIED, POD_NAME: 'replica-0' }, user: credentials, flags });
  const until: Run['until'] = (fits) => onlooker.until(namespace, name, fits, SECONDS);
  try {
    const over = onlooker.until(namespace, name, isOver, SECONDS, kubelet(onlooker, options));
    await Promise.all([over, during?.({ lane, namespace, name, proxy, operator, until })]);
    check?.();
    const outcome = await settled(api, onlooker, namespace, name, expected);
    await operator.stop();
    return outcome;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${summary(onlooker.of(namespace, name))}\n${operator.log.slice(-15).map((line) => JSON.stringify(line)).join('\n')}`);
  } finally {
    await lane.reset();
    await api.must('DELETE', `${pathOf(namespace, name)}?propagationPolicy=Background`);
  }
}

// --- The network and the API server ---

const STATUS = 'update sparkapplications/status';

/**
 * Does something to the first call of each kind. The Lease is left alone: what becomes of it has tests of its own.
 *
 * @param kinds those that are meant, which must come. @default - all, which are many
 */
function firstOfEach(fault: (exchange: Exchange) => Promise<void> | void, kinds?: readonly string[]): Play {
  const seen = new Set<string>();
  return {
    rule: (exchange) => {
      const kind = kindOf(exchange.call);
      if (exchange.call.resource === 'leases' || kinds?.includes(kind) === false || seen.has(kind)) return exchange.pass();
      seen.add(kind);
      return fault(exchange);
    },
    check: () => (kinds ? expect([...seen].sort()).toEqual([...kinds].sort()) : expect(seen.size).toBeGreaterThan(20)),
  };
}

/** Another client changes the application right before the operator writes its status. */
async function touchFirst(exchange: Exchange): Promise<void> {
  const { namespace, name } = exchange.call;
  await api.must('PATCH', pathOf(namespace!, name), { metadata: { annotations: { touched: `${names++}` } } }, 'application/merge-patch+json');
  await exchange.pass();
}

/** Passes a call on; the answer does not arrive. */
async function loseAnswer(exchange: Exchange): Promise<void> {
  if (exchange.call.verb === 'watch') return exchange.drop();
  await exchange.forward();
  exchange.drop();
}

async function cutAnswer(exchange: Exchange): Promise<void> {
  if (exchange.call.verb === 'watch') return exchange.drop();
  await exchange.cut(await exchange.forward());
}

/** Passes a call on; the answer is still on its way when the operator has given up. */
async function answerTooLate(exchange: Exchange): Promise<void> {
  const answer = await exchange.forward();
  await exchange.closed;
  exchange.give(answer);
}

/** Does something to the watches of applications and pods that are open. */
function eachWatch({ proxy }: Run, act: (watch: OpenWatch) => void): void {
  for (const watch of [...proxy.watches]) if (watch.call.resource !== 'leases') act(watch);
}

/** Silences the watches while the first driver fails, so that they do not report it. */
async function failUnseen(run: Run): Promise<void> {
  await run.until(isSubmitted);
  eachWatch(run, (watch) => watch.stall());
  await run.until(({ drivers }) => drivers[0]!.pod.status.phase === 'Failed');
}

/** Waits until the operator has noticed something. */
function noticed({ operator }: Run, what: RegExp): Promise<unknown> {
  return operator.logged((line) => what.test(line.err?.message), SECONDS);
}

/** The token is revoked while the application runs; a new one comes with its successor in the same file. */
const tokens: Play = {
  isHurried: true,
  user: async (lane) => {
    await api.must('POST', `/api/v1/namespaces/${installation.namespace}/secrets`, { metadata: { name: lane.namespace } });
    const file = lane.file('token', await token('--bound-object-kind=Secret', `--bound-object-name=${lane.namespace}`));
    return { 'auth-provider': { name: 'file', config: { tokenFile: file } } };
  },
  during: async (run) => {
    await run.until(isSubmitted);
    await api.must('DELETE', `/api/v1/namespaces/${installation.namespace}/secrets/${run.lane.namespace}`);
    // Answers that come from now on are from before; a watch is not ended by it.
    eachWatch(run, (watch) => watch.drop());
    await noticed(run, / 401 /);
    run.lane.file('token', await token());
  },
};

async function token(...flags: string[]): Promise<string> {
  return (await kubectl(['create', 'token', 'spark-operator', '-n', installation.namespace, ...flags])).trim();
}

/** An API server of its own, which is killed while the application waits for its driver, and started again when that has failed. */
const restart: Play = {
  upstream: async () => {
    await second.start();
    return second.url;
  },
  during: async ({ operator, until }) => {
    await until(isSubmitted);
    await second.kill();
    await until(({ drivers }) => drivers[0]!.pod.status.phase === 'Failed');
    await operator.logged((line) => line.msg === 'the Lease is lost; the work is ended', SECONDS);
    await second.start();
  },
};

// --- People ---

async function deleteDriver({ namespace }: Run, { drivers }: Sight): Promise<void> {
  await api.must('DELETE', `/api/v1/namespaces/${namespace}/pods/${drivers.at(-1)!.pod.metadata.name}?gracePeriodSeconds=0`);
}

/** A user deletes the driver of an application that is in a state. */
function deletedIn(state: string, options: Play): Play {
  return { ...options, during: async (run) => deleteDriver(run, await run.until((sight) => stateOf(sight) === state && sight.drivers.length > 0)) };
}

/** The first driver does not end by itself. */
const stays: KubeletOptions = { phases: (index) => index === 0 ? ['Running'] : ['Running', 'Succeeded'] };
const waits: KubeletOptions = { phases: (index) => index === 0 ? [] : ['Running', 'Succeeded'] };

// --- Two leaders ---

/** The calls of a leader that change something. */
function changes({ calls }: FaultProxy): string[] {
  return calls.filter(({ verb, resource }) => !['get', 'list', 'watch'].includes(verb) && !['leases', 'events'].includes(resource)).map(kindOf);
}

/** For an operator that takes over and leads to the end: otherwise the first one could lead again and change something. The test stops it, so no operator waits for its Lease. */
const LONG_LEASE = ['--leader-election-lease-duration=15s', '--leader-election-renew-deadline=10s'];

/** Identifies the object that a call creates, with its attempt: a busy API server makes the client repeat the call. All other calls are new. */
function createdBy({ verb, body }: ProxiedCall): unknown {
  return verb === 'create' ? `${body.metadata.name} of ${body.metadata.labels?.[LABEL_SUBMISSION_ID]}` : {};
}

/**
 * A leader freezes right at a call, while another one takes over and brings the application to its second running driver. Then the call that was under way
 * arrives, and the first leader wakes up.
 */
function asleepAt(call: string, nth: number): Play {
  let asleep!: (exchange: Exchange) => void;
  const sleeping = new Promise<Exchange>((resolve) => { asleep = resolve; });
  const seen = new Set<unknown>();
  return {
    isOvertaken: true,
    rule: (exchange) => {
      const before = seen.size;
      if (kindOf(exchange.call) === call) seen.add(createdBy(exchange.call));
      return seen.size > before && seen.size === nth ? asleep(exchange) : exchange.pass();
    },
    during: async ({ lane, proxy, operator, until }) => {
      const held = await Promise.race([sleeping, until(isOver).then(() => { throw new Error('there was no such call'); })]);
      operator.pause();
      const other = lane.start(await lane.proxy(), { flags: LONG_LEASE });
      await until((sight) => stateOf(sight) === 'RUNNING' && sight.drivers.length === 2);
      // Everything that it sent before it froze has arrived by now.
      const before = changes(proxy).length;
      // The answer is there when it wakes up: it sees the answer first, before any timer shows how late it is.
      await held.pass();
      operator.resume();
      await operator.logged((line) => line.msg === 'the Lease is lost; the work is ended', SECONDS);
      await operator.logged((line) => line.msg === 'another process leads', SECONDS);
      await until(isOver);
      expect(changes(proxy).slice(before)).toEqual([]);
      await other.stop();
    },
  };
}

/** A leader that cannot reach the API server for a while, in which another one takes over. */
async function cutOff({ lane, proxy, operator, until }: Run): Promise<void> {
  await until(isSubmitted);
  await proxy.refuse();
  const before = changes(proxy).length;
  const other = lane.start(await lane.proxy(), { flags: LONG_LEASE });
  await until((sight) => stateOf(sight) === 'RUNNING' && sight.drivers.length === 2);
  await proxy.listen();
  await operator.logged((line) => line.msg === 'another process leads', SECONDS);
  await until(isOver);
  expect(changes(proxy).slice(before)).toEqual([]);
  await other.stop();
}

/**
 * The call with which an old leader creates the first driver is under way for so long that it arrives when that driver has failed and is deleted, and
 * right before the new leader creates the second.
 */
function lateCreation(): Play {
  let hold!: (exchange: Exchange) => void;
  const holding = new Promise<Exchange>((resolve) => { hold = resolve; });
  return {
    isOvertaken: true,
    rule: (exchange) => exchange.call.resource === 'pods' && exchange.call.verb === 'create' ? hold(exchange) : exchange.pass(),
    during: async ({ lane, operator, until }) => {
      const held = await holding;
      void operator.stop('SIGKILL');
      const proxy = await lane.proxy();
      const created = new Set<unknown>();
      proxy.rule = async (exchange) => {
        const before = created.size;
        if (kindOf(exchange.call) === 'create pods') created.add(createdBy(exchange.call));
        if (created.size > before && created.size === 2) await held.forward();
        await exchange.pass();
      };
      const other = lane.start(proxy, { flags: LONG_LEASE });
      await until(isOver);
      await other.stop();
    },
    // The driver that came late was deleted, and was never alive beside another.
    expected: { ...AS_IT_SHOULD, drivers: 3 },
  };
}

/** Faults of calls, independent of the credentials and the API server. */
const CALLS: Record<string, () => Play> = {
  'a conflict at each status': () => firstOfEach(touchFirst, ['SUBMITTED', 'PENDING_RERUN', 'RUNNING', 'COMPLETED'].map((state) => `${STATUS} (${state})`)),
  'each kind of call answered with 500': () => firstOfEach((exchange) => exchange.fail(500, 'InternalError')),
  'each kind of call answered with 503 by a proxy in between': () => firstOfEach((exchange) => (
    exchange.give({ status: 503, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Service Unavailable</h1>') })
  )),
  'calls answered with 429 and a time to come back': () => firstOfEach(
    (exchange) => exchange.fail(429, 'TooManyRequests', { 'retry-after': '1' }),
    ['list sparkapplications', 'watch pods', `${STATUS} (SUBMITTED)`, 'create pods', 'delete pods', 'get pods', `${STATUS} (RUNNING)`],
  ),
  'each kind of call broken before it arrives': () => firstOfEach((exchange) => exchange.drop()),
  'each kind of answer lost': () => firstOfEach(loseAnswer),
  'each kind of answer cut in the middle': () => firstOfEach(cutAnswer),
};

const PLAYS: Record<string, Play> = {
  'a token that is revoked, and another one in the same file': tokens,
  'an API server that is killed and started again': restart,
  'watches that fall silent': {
    isHurried: true,
    during: async (run) => {
      await failUnseen(run);
      await noticed(run, /nothing arrived for 120000 ms/);
    },
  },
  'answers that take longer than the operator waits': {
    isHurried: true,
    ...firstOfEach(answerTooLate, ['list pods', `${STATUS} (SUBMITTED)`, 'create pods', 'delete pods', 'get pods', `${STATUS} (COMPLETED)`]),
    during: (run) => noticed(run, /no complete answer within 30000 ms/),
  },
  ...Object.fromEntries(Object.entries(CALLS).map(([title, make]) => [title, make()])),
  'watches that break at each change': {
    during: async (run) => {
      for (const state of ['SUBMITTED', 'RUNNING']) {
        await run.until((sight) => stateOf(sight) === state);
        eachWatch(run, (watch) => watch.drop());
      }
    },
  },
  'a watch whose resource version is too old': {
    during: async (run) => {
      await failUnseen(run);
      eachWatch(run, (watch) => watch.fail({ code: 410, reason: 'Expired', message: 'too old resource version' }));
      await noticed(run, / 410 /);
    },
  },
  'a driver that is deleted while it waits to be started': deletedIn('SUBMITTED', waits),
  'a driver that is deleted while it runs': deletedIn('RUNNING', stays),
  // It is counted from the begin of the attempt, which a slow machine takes seconds to submit.
  'a driver that is deleted after it has failed': deletedIn('FAILING', { interval: 20 }),
  'a driver that is deleted right after it was created': firstOfEach(async (exchange) => {
    const answer = await exchange.forward();
    const { namespace, body } = exchange.call;
    await api.must('DELETE', `/api/v1/namespaces/${namespace}/pods/${body.metadata.name}?gracePeriodSeconds=0`);
    exchange.give(answer);
  }, ['create pods']),
  'a driver that is gone when the operator deletes it': firstOfEach(async (exchange) => {
    await exchange.forward();
    await exchange.pass();
  }, ['delete pods']),
  'a driver that is deleted after the end': deletedIn('COMPLETED', { expected: { ...AS_IT_SHOULD, left: AS_IT_SHOULD.left.filter((each) => !each.startsWith('Pod')) } }),
  'a leader that is cut off while another takes over': { isOvertaken: true, during: cutOff },
  'the creation of a driver that arrives in the next attempt': lateCreation(),
  ...Object.fromEntries([
    `${STATUS} (SUBMITTED)`, 'create pods', `${STATUS} (PENDING_RERUN)`, 'delete pods', 'delete configmaps', `${STATUS} (SUBMITTED) 2`,
    'create configmaps 2', 'create pods 2',
  ].map((text) => {
    const [, call, nth = '1'] = /^(.*?)(?: (\d))?$/.exec(text)!;
    return [`a leader that freezes at ${call} #${nth} while another takes over`, asleepAt(call!, Number(nth))];
  })),
};

const outcomes = new Map<string, Promise<Outcome>>();

beforeAll(async () => {
  installation = await install('faults', { jobNamespaces: NAMESPACES });
  api = new ApiServer();
  onlooker = new Onlooker();
  lanes = await Promise.all(NAMESPACES.map((namespace) => Lane.open(api, installation, namespace)));
  second = SecondApiServer.find(6444);
  const waiting: ((lane: Lane) => Promise<void>)[] = [];
  for (const [title, each] of Object.entries(PLAYS)) {
    const outcome = new Promise<Outcome>((resolve, reject) => waiting.push((lane) => play(lane, each).then(resolve, reject)));
    outcome.catch(() => {}); // its test reports it
    outcomes.set(title, outcome);
  }
  for (const lane of lanes) {
    void (async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next(lane);
    })();
  }
});

afterAll(async () => {
  await Promise.all(lanes.map((lane) => lane.close()));
  await second?.kill();
  onlooker?.close();
  await Promise.all(NAMESPACES.map((namespace) => api?.call('DELETE', `/api/v1/namespaces/${namespace}`)));
  api?.close();
  await installation?.remove();
});

test.each(Object.entries(PLAYS))('%s', async (title, { expected = AS_IT_SHOULD }) => {
  expect(await outcomes.get(title)).toEqual(expected);
}, 900_000);
