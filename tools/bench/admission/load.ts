import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:https';
import type { LoadFigures } from './measurements.ts';
import { UID, type ReviewKind } from './reviews.ts';

/** Where to send reviews. */
export interface Target {
  readonly port: number;
  readonly ca: string;
}

/** A control plane of several servers sends so many reviews. */
const API_SERVERS = 3;

/** As an API server does: connections are kept, up to so many that are idle, and as many are opened as are needed. */
const IDLE_CONNECTIONS = 25;

/** Milliseconds after which an answer is given up, as with `timeoutSeconds: 10`. */
const TIMEOUT = 10_000;

/**
 * Sends reviews when they are due, whether or not those before are answered: a server that is slow for a moment makes all wait that come meanwhile, and
 * each of them counts.
 */
export async function sendLoad(target: Target, kinds: readonly ReviewKind[], rate: number, seconds: number): Promise<LoadFigures> {
  const agents = Array.from({ length: API_SERVERS }, () => new Agent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, ca: target.ca, servername: 'localhost' }));
  const order = evenly(kinds);
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const underWay = new Set<Promise<void>>();
  const count = rate * seconds;
  const start = performance.now();
  let sent = 0;
  let senderLateness = 0;
  while (sent < count) {
    const now = performance.now() - start;
    for (; sent < count && (sent * 1000) / rate <= now; sent++) {
      const due = start + (sent * 1000) / rate;
      senderLateness = Math.max(senderLateness, performance.now() - due);
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
  return { sent, latencies: latencies.sort((a, b) => a - b), failures, senderLateness };
}

/** Which kind of review is the next, so that each stretch has about the shares of the whole. */
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
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1', port, path: `${path}?timeout=10s`, method: 'POST', agent, timeout: TIMEOUT, headers: { 'content-type': 'application/json', 'content-length': bytes.length },
    }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString() }));
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer in 10 s')));
    sent.once('error', reject);
    sent.end(bytes);
  });
  if (status !== 200) throw new Error(`${path}: HTTP ${status}: ${text.slice(0, 200).trim()}`);
  const { response } = JSON.parse(text);
  if (response.uid !== uid) throw new Error(`${path}: the answer is for another review`);
  if (!isRight(response)) throw new Error(`${path}: a wrong answer: ${(response.status?.message ?? JSON.stringify(response)).slice(0, 300)}`);
}
