import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:https';
import { readText, type Answer } from '../api-client.ts';
import { UID, type ReviewKind } from './reviews.ts';

/** A server of reviews. */
export interface Target {
  readonly port: number;
  readonly ca: string;
}

/** Results of the reviews. Times in milliseconds. */
export interface Reviewed {
  readonly sent: number;
  /** From the time at which each review was due. */
  readonly latencies: readonly number[];
  /** Failures by reason. */
  readonly failures: Readonly<Record<string, number>>;
  /** Greatest delay of the sender itself, which shows as latency. */
  readonly delay: number;
}

/** A control plane has so many servers. */
const API_SERVERS = 3;
/** As an API server does: connections are kept, up to so many idle ones, and as many are opened as are needed. */
const IDLE_CONNECTIONS = 25;
/** Milliseconds until a review fails, as with `timeoutSeconds: 10`. */
const TIMEOUT = 10_000;

/**
 * Sends reviews when they are due, whether or not earlier ones are answered: a server that is slow for a moment
 * delays all that come meanwhile.
 */
export async function sendReviews(target: Target, kinds: readonly ReviewKind[], rate: number, seconds: number): Promise<Reviewed> {
  const options = { keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, ca: target.ca, servername: 'localhost' };
  const agents = Array.from({ length: API_SERVERS }, () => new Agent(options));
  const order = evenly(kinds);
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const underWay = new Set<Promise<void>>();
  const count = rate * seconds;
  const start = performance.now();
  let [sent, delay] = [0, 0];
  while (sent < count) {
    const now = performance.now() - start;
    for (; sent < count && (sent * 1000) / rate <= now; sent++) {
      const due = start + (sent * 1000) / rate;
      delay = Math.max(delay, performance.now() - due);
      const answered = send(target, agents[sent % API_SERVERS]!, order(sent)).catch((error: Error) => {
        failures[error.message] = (failures[error.message] ?? 0) + 1;
      }).then(() => {
        latencies.push(performance.now() - due);
        underWay.delete(answered);
      });
      underWay.add(answered);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(underWay);
  for (const agent of agents) agent.destroy();
  return { sent, latencies, failures, delay };
}

/** Returns the kind of each review, so that each stretch has about the shares of the whole. */
export function evenly(kinds: readonly ReviewKind[]): (index: number) => ReviewKind {
  const slots = 1_000;
  const owed = kinds.map(() => 0);
  const order = Array.from({ length: slots }, () => {
    kinds.forEach(({ share }, index) => { owed[index]! += share; });
    const next = owed.indexOf(Math.max(...owed));
    owed[next]!--;
    return kinds[next]!;
  });
  return (index) => order[index % slots]!;
}

async function send({ port }: Target, agent: Agent, { path, body, isRight }: ReviewKind): Promise<void> {
  const uid = randomUUID();
  const bytes = Buffer.from(body);
  bytes.write(uid, bytes.indexOf(UID));
  const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
  const { status, text } = await new Promise<Answer>((resolve, reject) => {
    const call = { host: '127.0.0.1', port, path: `${path}?timeout=10s`, method: 'POST', agent, timeout: TIMEOUT, headers };
    const sent = request(call, (response) => {
      readText(response).then((answer) => resolve({ status: response.statusCode!, text: answer }), reject);
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer in 10 s')));
    sent.once('error', reject);
    sent.end(bytes);
  });
  if (status !== 200) throw new Error(`${path}: HTTP ${status}: ${text.slice(0, 200).trim()}`);
  const { response } = JSON.parse(text);
  if (response.uid !== uid) throw new Error(`${path}: the answer is for another review`);
  if (isRight(response)) return;
  throw new Error(`${path}: a wrong answer: ${(response.status?.message ?? JSON.stringify(response)).slice(0, 300)}`);
}
