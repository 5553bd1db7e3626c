/*
 * Several operators that work at the same time, each on its shards, against a real API server, with the rights that SparkOperator gives them. Whatever becomes of them, no application is written for by
 * one that does not own it at that moment; by the order in which the API server took the writes, and by no clock.
 */
import { setTimeout as pass } from 'node:timers/promises';
import { ApiServer } from './helpers/api-server';
import { auditOf } from './helpers/audit';
import { Lane } from './helpers/lane';
import { Onlooker, stateOf, type Sight } from './helpers/onlooker';
import { Owners } from './helpers/owners';
import { AS_IT_SHOULD, isOver, kindOf, kubelet, pathOf, retryApplication, settled, type Outcome } from './helpers/retry-run';
import type { Exchange, FaultProxy } from '../helpers/fault-proxy';
import { install, type Installation } from '../helpers/installation';
import type { OperatorProcess } from '../helpers/operator-process';
import { shardOf } from '../../src/model/shard-hash';

const SHARDS = 12;
/** Short enough for a test; the proportions are about those of the defaults. */
const LEASE_SECONDS = 5;
const TIMES = [`--leader-election-lease-duration=${LEASE_SECONDS}s`, '--leader-election-renew-deadline=4s', '--leader-election-retry-period=400ms'];
/** Those that are the defaults. */
const DEFAULT_LEASE_SECONDS = 15;
const DEFAULT_TIMES = [`--leader-election-lease-duration=${DEFAULT_LEASE_SECONDS}s`, '--leader-election-renew-deadline=10s', '--leader-election-retry-period=2s'];
/** For a run; most of it is waiting for another owner. */
const SECONDS = 90;
/** What all of it may take longer on a machine on which other tests run. */
const BUSY_SECONDS = 4;
/** Without an owner, at most: until the Leases of who is gone have run out, for a look at the members after that, until they have stayed the same, and another look. */
const LONGEST_GAP = LEASE_SECONDS + 4 + BUSY_SECONDS;
/** The same if the Lease is given back, which is only done when another asks for it: less than a second, and some more on such a machine. */
const LONGEST_HANDOVER = 1 + BUSY_SECONDS / 2;
/** Until the others, with the times that are the defaults, have seen that one goes (3 s) and that nothing else changes (2 s), and have asked for its shards. */
const LONGEST_END = 8 + BUSY_SECONDS;

const NAMESPACES = ['shards-jobs-mishaps', 'shards-jobs-rolling', 'shards-jobs-schedule', 'shards-jobs-orderly'];

const MISHAPS = 'three replicas, of which one crashes, one stands still, one is cut off, one comes, one goes, and answers are lost';
const ROLLING = 'updates that turn shards on, change how many there are, and turn them off, with the old beside the new';
const SCHEDULE = 'a schedule whose runs belong to another replica';
const ORDERLY = 'with the times that are the defaults, three replicas of which one after another ends in order';
const PLAYS = { [MISHAPS]: mishaps, [ROLLING]: rolling, [SCHEDULE]: schedule, [ORDERLY]: orderly };

let installation: Installation;
let api: ApiServer;
let onlooker: Onlooker;
/** What goes on side by side, as most of it is waiting; the tests tell what came of it. */
const plays = new Map<string, Promise<void>>();
const companies: Company[] = [];

/** One process, behind a proxy of its own. */
interface Replica {
  readonly name: string;
  readonly proxy: FaultProxy;
  readonly operator: OperatorProcess;
}

/** Operators that have a common Lease, and applications for them. */
class Company {
  public readonly owners: Owners;
  public readonly outcomes: Promise<Outcome>[] = [];
  private readonly lane = Lane.over(installation);
  private names = 0;

  constructor(public readonly namespace: string, private readonly lock: string, private readonly times: readonly string[] = TIMES, private readonly leaseSeconds = LEASE_SECONDS) {
    this.owners = new Owners(installation.namespace, lock);
    companies.push(this);
  }

  /** @param shards none: one that leads alone */
  async start(name: string, shards = 0): Promise<Replica> {
    const proxy = await this.lane.proxy();
    this.owners.observe(proxy, name);
    const args = installation.args.filter((arg) => !arg.startsWith('--namespaces'));
    const flags = [...this.times, `--namespaces=${this.namespace}`, `--leader-election-lock-name=${this.lock}`, `--shards=${shards}`];
    return { name, proxy, operator: this.lane.startAs({ ...installation, args }, { proxy, flags, environment: { POD_NAME: name } }) };
  }

  /** Creates an application with a retry, whose driver is played to its end. @param shard its own, of `SHARDS` */
  async run(shard?: number): Promise<(fits: (sight: Sight) => boolean) => Promise<Sight>> {
    const { namespace } = this;
    let name: string;
    do name = `app-${this.names++}`; while (shard !== undefined && shardOf(`${namespace}/${name}`, SHARDS) !== shard);
    await api.must('POST', pathOf(namespace), retryApplication(namespace, name));
    const outcome = onlooker.until(namespace, name, isOver, SECONDS, kubelet(onlooker)).then(() => settled(api, onlooker, namespace, name));
    outcome.catch(() => {}); // whoever waits for all tells
    this.outcomes.push(outcome);
    return (fits) => onlooker.until(namespace, name, fits, SECONDS);
  }

  /** Who has written for its applications, and how often. */
  get writers(): Record<string, number> {
    const writers: Record<string, number> = {};
    for (const { replica } of this.owners.writes) writers[replica] = (writers[replica] ?? 0) + 1;
    return writers;
  }

  /** What went wrong with the owners: nothing. */
  async mistakes(): Promise<string[]> {
    return [...await this.owners.strangers(), ...this.owners.robberies(this.leaseSeconds * 1000)];
  }

  /** Tells how long Leases were nobody's, and what was longer than it may be. */
  tooLong(what: string, longestGap: number, longestHandover: number): string[] {
    const gaps = this.owners.gaps();
    for (const end of ['run out', 'given back'] as const) {
      const seconds = gaps.filter((gap) => gap.end === end).map((gap) => gap.seconds).sort((a, b) => a - b);
      if (seconds.length > 0) console.info(`${what}: ${seconds.length} Leases that were ${end} had no owner for ${seconds[Math.floor(seconds.length / 2)]} s in the middle, ${seconds.at(-1)} s at most`);
    }
    return gaps.filter(({ end, seconds }) => seconds > (end === 'run out' ? longestGap : longestHandover)).map((gap) => JSON.stringify(gap));
  }

  async close(): Promise<void> {
    this.owners.close();
    await this.lane.close();
  }
}

beforeAll(async () => {
  installation = await install('shards', { shards: SHARDS, replicas: 3, jobNamespaces: NAMESPACES });
  api = new ApiServer();
  onlooker = new Onlooker();
  const begin = (title: keyof typeof PLAYS, after?: Promise<void>) => {
    const play = (after ?? Promise.resolve()).catch(() => {}).then(PLAYS[title]);
    play.catch(() => {}); // its test tells
    plays.set(title, play);
    return play;
  };
  void begin(MISHAPS);
  void begin(ORDERLY, begin(SCHEDULE, begin(ROLLING)));
});

afterAll(async () => {
  await Promise.all(companies.map((company) => company.close()));
  onlooker?.close();
  await Promise.all(NAMESPACES.map((namespace) => api?.call('DELETE', `/api/v1/namespaces/${namespace}`)));
  api?.close();
  await installation?.remove();
});

/** Does something at the next creation of a driver, and then lets that arrive. Resolves with what gives the answer, which is kept back. */
function atNextDriver({ proxy }: Replica, act: () => Promise<unknown> | void): Promise<() => void> {
  return new Promise((resolve) => {
    proxy.rule = async (exchange) => {
      if (kindOf(exchange.call) !== 'create pods') return exchange.pass();
      proxy.rule = (other) => other.pass();
      await act();
      const answer = await exchange.forward();
      resolve(() => exchange.give(answer));
    };
  });
}

/** The answers to the first write of each kind are lost. */
function loseAnswers(): (exchange: Exchange) => Promise<void> {
  const lost = new Set<string>();
  return async (exchange) => {
    const kind = kindOf(exchange.call);
    if (['get', 'list', 'watch'].includes(exchange.call.verb) || lost.has(kind)) return exchange.pass();
    lost.add(kind);
    await exchange.forward();
    exchange.drop();
  };
}

/** How many applications there are by the metrics of a replica. */
async function counted({ operator }: Replica): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${(await operator.ports()).metrics}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith('spark_operator_applications{')).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

async function readyz({ operator }: Replica): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${(await operator.ports()).health}/readyz`);
  return `${answer.status} ${(await answer.text()).trim().split('\n').at(-1)}`;
}

async function mishaps(): Promise<void> {
  const company = new Company(NAMESPACES[0]!, 'mishaps');
  const { owners } = company;
  const shardsOf = ({ name }: Replica) => owners.split(SHARDS).get(name) ?? [];
  /** Applications of shards that are about to move. */
  const runSome = ({ name }: Replica, count = 4) => Promise.all(Array.from({ length: count }, (_, index) => {
    const shards = owners.split(SHARDS).get(name)!;
    return company.run(shards[index % shards.length]);
  }));

  const [one, two, three] = await Promise.all(['one', 'two', 'three'].map((name) => company.start(name, SHARDS)));
  await owners.untilSplit(SHARDS, ['one', 'two', 'three'], 30);
  const first = await Promise.all(Array.from({ length: SHARDS }, (_, shard) => company.run(shard)));
  await Promise.all(first.map((sees) => sees((sight) => ['SUBMITTED', 'RUNNING'].includes(stateOf(sight)!))));
  expect(Object.keys(company.writers).sort()).toEqual(['one', 'three', 'two']);
  await until(() => readyz(one!), (line) => line === `200 working on shards ${shardsOf(one!).join(', ')} of 12, 3 replicas`);
  // On a busy machine a Lease may be lost for a moment at any time.
  await until(() => Promise.all([one!, two!, three!].map(counted)), (sizes: number[]) => sizes.every((size) => size === 4));

  // A crash, right when a driver has been created.
  const crash = atNextDriver(one!, () => void one!.operator.stop('SIGKILL'));
  await runSome(one!);
  await crash;
  await owners.untilSplit(SHARDS, ['two', 'three']);

  // It stands still until another has all that it had, and sees the answer first when it wakes up.
  const sleep = atNextDriver(two!, () => two!.operator.pause());
  await runSome(two!);
  const wakeUp = await sleep;
  await owners.untilSplit(SHARDS, ['three']);
  wakeUp();
  two!.operator.resume();
  await two!.operator.logged((line) => line.msg === 'the Lease is lost; the work is ended');
  await runSome(three!);
  await owners.untilSplit(SHARDS, ['two', 'three']);

  // One more comes, and answers to writes do not arrive.
  three!.proxy.rule = loseAnswers();
  await runSome(three!);
  const four = await company.start('four', SHARDS);
  await owners.untilSplit(SHARDS, ['two', 'three', 'four']);

  // One goes in order, while a call of it takes longer than the others need to take over.
  let end: Promise<number | null> | undefined;
  const leave = atNextDriver(three!, () => {
    end = three!.operator.stop();
    return pass(2_000);
  });
  await runSome(three!);
  (await leave)();
  expect(await end).toBe(0);
  await owners.untilSplit(SHARDS, ['two', 'four']);

  // One does not reach the API server for longer than its Leases last.
  await runSome(four, 6);
  await four.proxy.refuse();
  await owners.untilSplit(SHARDS, ['two']);
  await four.proxy.listen();
  await owners.untilSplit(SHARDS, ['two', 'four']);

  const outcomes = await Promise.all(company.outcomes);
  expect(outcomes).toEqual(outcomes.map(() => AS_IT_SHOULD));
  await until(() => Promise.all([two!, four].map(counted)), (sizes: number[]) => sizes[0]! + sizes[1]! === outcomes.length);
  expect(await company.mistakes()).toEqual([]);
  expect(company.tooLong('mishaps', LONGEST_GAP, LONGEST_HANDOVER)).toEqual([]);
  console.info(`mishaps: ${outcomes.length} applications, ${owners.writes.length} writes: ${JSON.stringify(company.writers)}`);
  expect([one!, two!, three!, four].flatMap(({ operator }) => operator.log.filter(({ level }) => level === 'error'))).toEqual([]);
}

async function rolling(): Promise<void> {
  const company = new Company(NAMESPACES[1]!, 'rolling');
  const { owners } = company;
  /** The new ones come while the old ones work, and these go. */
  const replace = async (before: readonly Replica[], after: readonly [name: string, shards: number][], isDone: () => Promise<void>): Promise<Replica[]> => {
    await Promise.all([company.run(), company.run()]);
    const replicas = await Promise.all(after.map(([name, shards]) => company.start(name, shards)));
    await Promise.all(replicas.map(({ operator }) => operator.logged((line) => line.msg === 'another process leads')));
    await Promise.all([company.run(), company.run()]);
    for (const { operator } of before) expect(await operator.stop()).toBe(0);
    await isDone();
    return replicas;
  };
  const leads = (name: string) => owners.until(() => owners.common.startsWith(`${name}_`), 30);

  const single = await company.start('single');
  await leads('single');
  const six = await replace([single], [['six-a', 6], ['six-b', 6]], () => owners.untilSplit(6, ['six-a', 'six-b']));
  const four = await replace(six, [['four-a', 4], ['four-b', 4]], () => owners.untilSplit(4, ['four-a', 'four-b']));
  await replace(four, [['last', 0]], () => leads('last'));

  expect(await Promise.all(company.outcomes)).toEqual(company.outcomes.map(() => AS_IT_SHOULD));
  expect(await company.mistakes()).toEqual([]);
  // Also the common Lease had to run out, but for the first; and where a replica loses that, those of its shards.
  expect(company.tooLong('rolling', LONGEST_GAP + LEASE_SECONDS, LONGEST_GAP)).toEqual([]);
  console.info(`rolling: ${company.outcomes.length} applications, ${owners.writes.length} writes: ${JSON.stringify(company.writers)}`);
}

async function schedule(): Promise<void> {
  const company = new Company(NAMESPACES[2]!, 'schedule');
  const { namespace, owners } = company;
  await Promise.all(['left', 'right'].map((name) => company.start(name, 4)));
  await owners.untilSplit(4, ['left', 'right'], 30);
  const schedules = `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/scheduledsparkapplications`;
  const { spec: template } = retryApplication(namespace, 'ticks');
  await api.must('POST', schedules, {
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', metadata: { name: 'ticks', namespace }, spec: { schedule: '@every 2s', concurrencyPolicy: 'Forbid', successfulRunHistoryLimit: 1, template },
  });
  // Which shard a run is in follows from its time.
  const writer = (what: string) => owners.writes.find((write) => write.what === what)?.replica;
  for (let runs = 0, isElsewhere = false; runs < 2 || !isElsewhere; runs++) {
    const { items } = await until(() => api.must('GET', pathOf(namespace)), ({ items: all }) => all.some(({ status }: any) => status?.applicationState?.state !== 'COMPLETED'));
    const { metadata: { name } } = items.find(({ status }: any) => status?.applicationState?.state !== 'COMPLETED');
    await onlooker.until(namespace, name, isOver, SECONDS, kubelet(onlooker));
    isElsewhere ||= writer(`create sparkapplications ${name}`) !== writer(`create pods ${name}-driver`);
    // Its owner has seen the end of what another has brought there.
    await until(() => api.must('GET', `${schedules}/ticks`), ({ status }) => status.pastSuccessfulRunNames?.includes(name));
  }
  await until(() => api.must('GET', pathOf(namespace)), ({ items }) => items.filter(({ status }: any) => status?.applicationState?.state === 'COMPLETED').length === 1);
  expect(await company.mistakes()).toEqual([]);
}

async function orderly(): Promise<void> {
  const company = new Company(NAMESPACES[3]!, 'orderly', DEFAULT_TIMES, DEFAULT_LEASE_SECONDS);
  const { owners } = company;
  const replicas = await Promise.all(['one', 'two', 'three'].map((name) => company.start(name, SHARDS)));
  await owners.untilSplit(SHARDS, ['one', 'two', 'three'], 30);
  const seconds: number[] = [];
  for (const replica of [...replicas]) {
    const applications = await Promise.all((owners.split(SHARDS).get(replica.name) ?? []).map((shard) => company.run(shard)));
    await Promise.all(applications.map((sees) => sees((sight) => stateOf(sight) === 'RUNNING')));
    // Nothing is left for the last one to do, as there would be nobody to do the rest.
    if (replica === replicas.at(-1)) await Promise.all(company.outcomes);
    const begun = Date.now();
    expect(await replica.operator.stop()).toBe(0);
    seconds.push((Date.now() - begun) / 1000);
    const left = replicas.slice(replicas.indexOf(replica) + 1).map(({ name }) => name);
    if (left.length > 0) await owners.untilSplit(SHARDS, left);
  }
  console.info(`orderly: the ends took ${seconds.join(', ')} s`);
  expect(seconds.filter((each) => each > LONGEST_END)).toEqual([]);
  // There is nobody to ask for anything.
  expect(seconds.at(-1)).toBeLessThan(LONGEST_HANDOVER);
  expect(await Promise.all(company.outcomes)).toEqual(company.outcomes.map(() => AS_IT_SHOULD));
  expect(await company.mistakes()).toEqual([]);
  expect(company.tooLong('orderly', 0, LONGEST_HANDOVER)).toEqual([]);
  expect(replicas.flatMap(({ operator }) => operator.log.filter(({ level }) => ['warn', 'error'].includes(level)))).toEqual([]);
}

test.each(Object.keys(PLAYS))('%s', async (title) => {
  await plays.get(title);
}, 240_000);

test('nothing was refused to them', () => {
  const calls = auditOf(`system:serviceaccount:${installation.namespace}:spark-operator`);
  expect(calls.filter(({ code }) => code === 403)).toEqual([]);
  expect(new Set(calls.filter(({ resource }) => resource === 'coordination.k8s.io/leases').map(({ verb }) => verb))).toEqual(new Set(['create', 'get', 'list', 'watch', 'update', 'delete']));
});

/** Looks until what is there is as expected. */
async function until(look: () => Promise<any>, fits: (found: any) => boolean): Promise<any> {
  const end = Date.now() + 30_000;
  for (;;) {
    const found = await look();
    if (fits(found)) return found;
    if (Date.now() > end) throw new Error(`not as expected: ${JSON.stringify(found).slice(0, 2_000)}`);
    await pass(100);
  }
}
