import { Transform, type TransformCallback } from 'node:stream';
import type { Cost } from '../../helpers/budget';
import { FaultProxy, type Exchange, type ProxiedCall } from '../../helpers/fault-proxy';
import { decodeEvent } from '../../../src/kube/protobuf/answer';
import { one } from '../../../src/kube/protobuf/message';
import { OBJECT_META } from '../../../src/kube/protobuf/meta';

/** Milliseconds after which a wait fails. They suffice for simultaneous work, and for events that arrive a moment later. */
const PATIENCE = 20_000;

interface Numbers {
  calls?: number;
  events?: number;
  sent?: number;
  received?: number;
}

/**
 * A proxy between an operator and the API server that counts calls, the bytes of their bodies in both directions, the events of watches and their bytes.
 * It counts by namespace, so that scenarios in namespaces of their own can share an operator.
 *
 * It leaves out Leases and bookmarks, which depend on time. It counts a list as a call, and no event for the opening of a watch.
 */
export class CountingProxy {
  private readonly counts = new Map<string, Map<string, Numbers>>();
  private readonly streams = new Set<WatchedStream>();
  /** Up to which resource version events were counted, by namespace and resource. */
  private readonly told = new Map<string, number>();
  private readonly waiting = new Set<() => void>();
  private underWay = 0;
  private begun = 0;

  private constructor(private readonly proxy: FaultProxy) {
    proxy.rule = (exchange) => this.pass(exchange);
  }

  /** @param kubeconfig file with one cluster, which is the API server */
  static async start(kubeconfig: string): Promise<CountingProxy> {
    return new CountingProxy(await FaultProxy.start(kubeconfig));
  }

  /** A kubeconfig that leads here. */
  kubeconfig(): string {
    return this.proxy.kubeconfig();
  }

  close(): Promise<void> {
    return this.proxy.close();
  }

  /** How many calls there were; without watches. */
  get calls(): number {
    return this.begun;
  }

  /** Returns the counts of a namespace since the last call, and resets them. */
  take(namespace: string): Cost {
    const cost = Object.fromEntries(this.counts.get(namespace) ?? []);
    this.counts.delete(namespace);
    return cost;
  }

  /** Resolves when the operator has received the objects of a resource at a resource version, or later. */
  async hasTold(resource: string, namespace: string, resourceVersion: string): Promise<void> {
    await this.until(() => this.of(resource, namespace).some(({ last }) => last >= Number(resourceVersion)), `the operator has not received ${resource} in ${namespace} at ${resourceVersion}`);
  }

  /** Resolves when no call is under way. */
  async isQuiet(): Promise<void> {
    await this.until(() => this.underWay === 0, 'calls are under way all the time');
  }

  /** Keeps the events of a resource back during an action; then sends them to the operator, in some portions soon after one another. */
  async inPortions<T>(resource: string, namespace: string, portions: { readonly count: number; readonly pause: number }, act: () => Promise<T>): Promise<T> {
    const streams = this.of(resource, namespace);
    for (const stream of streams) stream.hold();
    try {
      return await act();
    } finally {
      await Promise.all(streams.map((stream) => stream.release(portions)));
    }
  }

  /** Lets the operator's watches in a namespace expire. Resolves when it has listed everything again, and watches it. */
  async expire(namespace: string): Promise<void> {
    const expired = [...this.proxy.watches].filter(({ call }) => call.namespace === namespace);
    const before = new Set(this.streams);
    for (const watch of expired) watch.fail({ code: 410, reason: 'Expired', message: 'too old resource version' });
    const isBack = (resource: string) => this.of(resource, namespace).some((stream) => !before.has(stream));
    await this.until(() => expired.every(({ call }) => isBack(call.resource)), `not all watches in ${namespace} were opened again`);
  }

  private of(resource: string, namespace: string): WatchedStream[] {
    return [...this.streams].filter(({ call }) => call.resource === resource && call.namespace === namespace);
  }

  private async pass(exchange: Exchange): Promise<void> {
    const { call } = exchange;
    if (call.verb === 'watch') {
      const stream = new WatchedStream(call, (event, version) => this.countEvent(call, event, version), () => this.wake());
      const forget = () => this.streams.delete(stream);
      this.streams.add(stream);
      exchange.closed.then(forget, forget);
      this.wake();
      return exchange.pass(stream);
    }
    this.begun++;
    this.underWay++;
    try {
      const answer = await exchange.forward();
      const sent = call.body === undefined ? undefined : Buffer.byteLength(JSON.stringify(call.body));
      this.count(call, nameOf(call, answer.status), { calls: 1, ...(sent !== undefined && { sent }), received: answer.body.length });
      exchange.give(answer);
    } finally {
      this.underWay--;
      this.wake();
    }
  }

  /** A busy API server can cut off a watch; events that the next watch repeats are counted once. */
  private countEvent(call: ProxiedCall, event: Buffer, version: number): void {
    const what = `watch ${call.resource}`;
    const told = this.told.get(`${call.namespace} ${what}`) ?? 0;
    if (version <= told) return;
    this.told.set(`${call.namespace} ${what}`, version);
    this.count(call, what, { events: 1, received: event.length });
  }

  private count({ namespace = '', resource }: ProxiedCall, what: string, numbers: Numbers): void {
    if (resource === 'leases') return;
    if (!this.counts.has(namespace)) this.counts.set(namespace, new Map());
    const own = this.counts.get(namespace)!;
    const sum: Numbers = { ...own.get(what) };
    for (const [measure, value] of Object.entries(numbers) as [keyof Numbers, number][]) sum[measure] = (sum[measure] ?? 0) + value;
    own.set(what, sum);
  }

  private wake(): void {
    for (const look of [...this.waiting]) look();
  }

  private until(holds: () => boolean, problem: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer);
        this.waiting.delete(look);
        settle();
      };
      const look = () => {
        if (holds()) done(resolve);
      };
      const timer = setTimeout(() => done(() => reject(new Error(`after ${PATIENCE / 1000} s ${problem}`))), PATIENCE);
      this.waiting.add(look);
      look();
    });
  }
}

/** Verb and resource, with the code if the call was refused. */
function nameOf({ verb, resource }: ProxiedCall, code: number): string {
  return `${verb} ${resource}${code >= 300 ? ` (${code})` : ''}`;
}

/** Events of a watch on their way, which can be kept back. */
class WatchedStream extends Transform {
  /** The newest resource version that the operator has received. */
  public last: number;
  private rest = Buffer.alloc(0);
  private held?: Buffer[];

  constructor(public readonly call: ProxiedCall, private readonly onEvent: (event: Buffer, version: number) => void, private readonly onPassed: () => void) {
    super();
    this.last = Number(new URL(call.path, 'http://localhost').searchParams.get('resourceVersion') ?? 0);
  }

  hold(): void {
    this.held ??= [];
  }

  /** Passes on what was kept back, and whatever comes. */
  async release({ count, pause }: { readonly count: number; readonly pause: number }): Promise<void> {
    for (let left = count; left > 1; left--) {
      this.passOn(this.held!.splice(0, Math.ceil(this.held!.length / left)));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    const held = this.held!;
    this.held = undefined;
    this.passOn(held);
  }

  override _transform(chunk: Buffer, _: BufferEncoding, callback: TransformCallback): void {
    const bytes = Buffer.concat([this.rest, chunk]);
    const events: Buffer[] = [];
    let start = 0;
    for (let end = endOfEvent(bytes, start); end > start && end <= bytes.length; end = endOfEvent(bytes, start)) {
      events.push(bytes.subarray(start, end));
      start = end;
    }
    this.rest = bytes.subarray(start);
    if (this.held) this.held.push(...events);
    else this.passOn(events);
    callback();
  }

  private passOn(events: readonly Buffer[]): void {
    for (const event of events) {
      const { type, object } = isFrame(event) ? decodeEvent(event.subarray(LENGTH), WITH_METADATA) : JSON.parse(event.toString());
      const version = Number(object.metadata?.resourceVersion ?? 0);
      if (type !== 'BOOKMARK') this.onEvent(event, version);
      this.last = Math.max(this.last, version);
      this.push(event);
    }
    if (events.length > 0) this.onPassed();
  }
}

/** Bytes of the length in front of a frame of protobuf. */
const LENGTH = 4;

const WITH_METADATA = { 1: one('metadata', OBJECT_META) };

/** Whether bytes of a watch are protobuf: a line of JSON begins with a brace, the length of a frame with a zero. */
function isFrame(bytes: Buffer): boolean {
  return bytes[0] === 0;
}

/** Where the event ends that begins somewhere; 0 if that is not known yet. */
function endOfEvent(bytes: Buffer, start: number): number {
  if (!isFrame(bytes.subarray(start))) return bytes.indexOf('\n', start) + 1;
  return bytes.length - start < LENGTH ? 0 : start + LENGTH + bytes.readUInt32BE(start);
}
