/* The console as a process, with a real API server, while a client without rights floods it. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { Chart } from 'cdk8s';
import { ApiServer } from '../helpers/api-server';
import { Population } from './helpers/population';
import { Visitor } from '../console/helpers/visitor';
import { install, type Installation } from '../helpers/installation';
import { apply, tokenOf } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';
import { CONNECTIONS, STREAMS } from '../../src/console/server/limits';
import { REVIEW_AGE } from '../../src/console/server/token-reviews';
import { AccessSubject, SparkJobNamespace } from '../../src';

const NAME = 'console-attack';
const FLOOD = 3_000;
/** Invented tokens that are reviewed while a user waits. Without a limit for them it is nearly all. */
const FEW = FLOOD / 3;

const api = new ApiServer();
let installation: Installation;
let jobs: string;
let running: OperatorProcess;
let port: number;

beforeAll(async () => {
  installation = await install(NAME, { jobNamespaces: [], console: {} }, (operator) => {
    new SparkJobNamespace(Chart.of(operator), 'jobs', { name: `${NAME}-jobs`, operator, viewers: [AccessSubject.serviceAccount(`${NAME}-jobs`, 'reader')] });
  });
  jobs = installation.jobs;
  await apply(['reader', 'outsider'].map((name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: jobs } })));
  await new Population(api, jobs).create('shown');
});

beforeEach(async () => {
  const { args, kubeconfig } = installation.console!;
  running = new OperatorProcess([...args, '--port=0', `--kubeconfig=${kubeconfig}`]);
  ({ port } = await running.logged(({ msg }) => msg === 'serving the console'));
});

afterEach(() => running?.stop());

afterAll(async () => {
  await installation?.remove();
  api.close();
});

const tokenFor = (account: string) => tokenOf(jobs, account);

/** A client with an address of its own: Linux has all of 127.0.0.0/8. */
interface Caller {
  readonly agent: Agent;
  readonly localAddress: string;
}

const caller = (localAddress: string): Caller => ({ agent: new Agent({ keepAlive: true }), localAddress });

/** Resolves to the status of the answer, or to 0 if the console ended the connection. */
function get({ agent, localAddress }: Caller, path: string, token: string, held?: (end: () => void) => void): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, path, agent, localAddress, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.on('error', () => {});
      if (held && response.statusCode === 200) held(() => response.destroy());
      else response.resume();
      resolve(response.statusCode!);
    });
    outgoing.on('error', () => resolve(0));
    outgoing.end();
  });
}

/** Asks until there is an answer, as the page does. */
async function signIn(from: Caller, token: string): Promise<void> {
  for (;;) {
    const status = await get(from, '/api/session', token);
    if (status === 200) return;
    expect(status).toBe(503);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

test('invented tokens do not delay users, neither those who are signed in nor those who sign in', async () => {
  const [signedIn, ...newcomers] = await Promise.all(['reader', 'reader', 'reader', 'reader', 'reader'].map(tokenFor)) as [string, ...string[]];
  const [neighbour, other] = [caller('127.0.0.1'), caller('127.0.0.2')];
  await signIn(neighbour, signedIn);

  // All at once; some continue until the newcomers have signed in, and the token of the signed-in user has needed another review.
  const attacker = caller('127.0.0.1');
  const statuses = new Map<number, number>();
  let invented = 0;
  const flood = async () => {
    const status = await get(attacker, '/api/session', `invented-${invented++}`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  let isOver = false;
  const all = Promise.all(Array.from({ length: FLOOD }, async (_, index) => {
    await flood();
    while (index < 100 && !isOver) {
      await flood();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }));

  // In reviews, not in time, which depends on the machine.
  const reviewed = () => statuses.get(401) ?? 0;
  const waits: Record<'signedIn' | 'newcomer', number[]> = { signedIn: [], newcomer: [] };
  const measure = async (who: keyof typeof waits, from: Caller, token: string) => {
    const before = reviewed();
    await signIn(from, token);
    waits[who].push(reviewed() - before);
  };
  const until = performance.now() + REVIEW_AGE + 1_000;
  while (newcomers.length > 0 || performance.now() < until) {
    await measure('signedIn', neighbour, signedIn);
    const newcomer = newcomers.pop();
    if (newcomer !== undefined) await measure('newcomer', other, newcomer);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  isOver = true;
  await all;
  const most = { signedIn: Math.max(...waits.signedIn), newcomer: Math.max(...waits.newcomer) };
  console.log(`beside ${invented} invented tokens (${JSON.stringify(Object.fromEntries(statuses))}), ${waits.signedIn.length} requests waited for reviews of at most ${JSON.stringify(most)}`);
  expect(invented).toBeGreaterThanOrEqual(FLOOD);
  expect(reviewed()).toBeGreaterThan(0);
  for (const [who, count] of Object.entries(most)) expect({ who, isFew: count < FEW }).toEqual({ who, isFew: true });
  for (const { agent } of [neighbour, other, attacker]) agent.destroy();
});

test('streams of a user without rights take little memory, and lock out no other user', async () => {
  const [outsider, reader] = await Promise.all(['outsider', 'reader'].map(tokenFor)) as [string, string];
  const user = new Visitor(port, { authorization: `Bearer ${reader}` });
  expect(await user.applications()).toEqual([`${jobs}/shown`]);
  await signIn(caller('127.0.0.1'), outsider);

  const before = memory();
  const attackers = Array.from({ length: 10 }, (_, index) => caller(`127.0.0.${10 + index}`));
  const ends: (() => void)[] = [];
  const statuses: number[] = [];
  // Not all at once: what requests under way take is not what streams take.
  while (statuses.length < FLOOD) {
    statuses.push(...await Promise.all(Array.from({ length: 100 }, (_, index) => get(attackers[index % attackers.length]!, '/api/rows', outsider, (end) => ends.push(end)))));
  }
  const grown = memory() - before;
  console.log(`of ${FLOOD} streams ${ends.length} are open and take ${grown.toFixed(0)} MiB`);
  expect(statuses.filter((status) => status === 200)).toHaveLength(STREAMS.ofUser);
  expect(statuses.filter((status) => status === 429)).toHaveLength(FLOOD - STREAMS.ofUser);
  // Without a limit they took 117 MiB.
  expect(grown).toBeLessThan(60);
  expect(await user.applications()).toEqual([`${jobs}/shown`]);
  ends.forEach((end) => end());
  for (const { agent } of attackers) agent.destroy();
});

test('connections of one address are limited, and leave room for users of the same address', async () => {
  const user = new Visitor(port, { authorization: `Bearer ${await tokenFor('reader')}` });
  const sockets = Array.from({ length: CONNECTIONS.ofClient + 200 }, () => connect(port, '127.0.0.1'));
  const ended = sockets.map((socket: Socket) => {
    socket.on('error', () => {});
    return once(socket, 'close').then(() => true, () => true);
  });
  // Only those beyond the limit end.
  let gone = 0;
  await new Promise<void>((resolve) => { for (const end of ended) void end.then(() => { if (++gone === 200) resolve(); }); });
  expect(await user.applications()).toEqual([`${jobs}/shown`]);
  for (const socket of sockets) socket.destroy();
});

test('a name that is not its own is refused, with the remedy', async () => {
  const reader = new Visitor(port, { authorization: `Bearer ${await tokenFor('reader')}` });
  expect(await reader.with({ host: 'evil.example' }).get('/api/session')).toMatchObject({ status: 421, text: expect.stringContaining('this console has no name evil.example: name it with --hosts, or console.hosts of SparkOperator') });
  expect((await reader.with({ host: 'evil.example' }).get('/')).status).toBe(421);
  for (const host of ['spark-operator-console', `spark-operator-console.${installation.namespace}.svc`, 'localhost:8080', '10.0.0.1:8088']) expect((await reader.with({ host }).get('/api/session')).status).toBe(200);
  expect((await new Visitor(port, { host: 'evil.example' }).get('/healthz')).status).toBe(200);
});

/** Returns the resident memory of the process, in MiB. */
function memory(): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))!;
  return Number(kibibytes) / 1024;
}
