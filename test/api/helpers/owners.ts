import { setTimeout as pass } from 'node:timers/promises';
import { ApiServer } from './api-server';
import type { FaultProxy, ProxiedAnswer, ProxiedCall } from '../../helpers/fault-proxy';
import { LABEL_APP_NAME, LABEL_SCHEDULED_APP_NAME } from '../../../src/api/labels';
import { shardOf } from '../../../src/model/shard-hash';
import { shardLeaseName } from '../../../src/model/member-lease';

/** How a Lease was from a revision of etcd on, of which there is one order for all objects. */
interface Version {
  readonly revision: number;
  /** Empty if nobody had it. */
  readonly holder: string;
  /** Milliseconds since the epoch: when the holder wrote it, by the clock that all processes of a test have in common. */
  readonly written: number;
}

/** A write that reached the API server. */
export interface Write {
  readonly replica: string;
  /** In the words of RBAC, with the object. */
  readonly what: string;
  /** Of the object whose owner may do that: an application, or a schedule. Undefined if nobody knows whose it is. */
  readonly key?: string;
  /** The last revision that was known when it was sent on; with its answer, that which it made. */
  revision: number;
}

/** A time without an owner. */
export interface Gap {
  readonly lease: string;
  /** `run out` if the owner before did not give the Lease back. */
  readonly end: 'given back' | 'run out';
  /** From the last renewal, or from the moment at which it was given back. */
  readonly seconds: number;
}

/** The holder of a Lease that nobody has. */
const RELEASED = '';

/**
 * Knows who had which Lease at each revision of etcd, and the writes of all replicas by the revisions that they made. So whether a write was made by the owner is told by the API server's own order,
 * and by no clock.
 */
export class Owners {
  /** All that reached the API server, but for events and Leases, in the order in which they were sent on. */
  public readonly writes: Write[] = [];
  private readonly api = new ApiServer();
  private readonly leases = new Map<string, Version[]>();
  /** Of what was created, whose it is. */
  private readonly keys = new Map<string, string>();
  private readonly waiting = new Set<() => void>();
  private known = 0;
  private closed = false;

  /**
   * @param namespace that of the Leases
   * @param lock the name of the common Lease
   */
  constructor(namespace: string, private readonly lock: string) {
    void this.follow(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases?watch=true`);
  }

  /** Writes down what comes from a replica, by its name, which is the first part of its identity. */
  observe(proxy: FaultProxy, replica: string): void {
    proxy.onForward = (call) => {
      const isWrite = !['get', 'list', 'watch'].includes(call.verb);
      const write = isWrite && !['leases', 'events'].includes(call.resource) ? this.begin(replica, call) : undefined;
      return (answer) => {
        const revision = isWrite ? revisionOf(answer) : 0;
        // One that changes nothing, or is refused, makes none.
        if (write && call.verb !== 'delete' && revision > write.revision) write.revision = revision;
        this.known = Math.max(this.known, revision);
      };
    };
  }

  /** Who has which shards now, of so many. */
  split(shards: number): Map<string, number[]> {
    const held = new Map<string, number[]>();
    for (let shard = 0; shard < shards; shard++) {
      const owner = replicaIn(this.holderOf(shardLeaseName(this.lock, shard)));
      if (owner) held.set(owner, [...held.get(owner) ?? [], shard]);
    }
    return held;
  }

  /** What has the common Lease now. */
  get common(): string {
    return this.holderOf(this.lock);
  }

  /** Resolves when Leases are as expected. */
  until(fits: () => boolean, seconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!fits()) return;
        this.waiting.delete(look);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(look);
        reject(new Error(`the Leases did not get there in ${seconds} s: ${JSON.stringify([...this.leases].map(([name, versions]) => `${name}: ${versions.at(-1)!.holder}`))}`));
      }, seconds * 1000);
      this.waiting.add(look);
      look();
    });
  }

  /** Resolves when everybody who asks for shards has as many, and all of them are had. */
  untilSplit(shards: number, replicas: readonly string[], seconds = 25): Promise<void> {
    return this.until(() => {
      const held = this.split(shards);
      const isEven = replicas.every((each) => Math.abs((held.get(each)?.length ?? 0) - shards / replicas.length) < 1);
      return isEven && held.size === replicas.length && [...held.values()].flat().length === shards;
    }, seconds);
  }

  /** The writes of those who did not have the Leases for it when they reached the API server. */
  async strangers(): Promise<string[]> {
    // What was written last is told a moment later.
    await pass(200);
    return this.writes.flatMap((write) => {
      const lacks = this.lacks(write);
      return lacks ? [`${write.what} by ${write.replica} for ${write.key} at ${write.revision}: ${lacks}`] : [];
    });
  }

  /** Leases that somebody took although the one before could still count on it. */
  robberies(duration: number): string[] {
    return this.changes().filter(({ from, to }) => from.holder !== RELEASED && to.written - from.written < duration)
      .map(({ lease, from, to }) => `${lease} of ${from.holder} taken by ${to.holder} ${to.written - from.written} ms after it was renewed`);
  }

  /** The times in which a Lease was nobody's, between two owners. */
  gaps(): Gap[] {
    return this.changes().map(({ lease, from, to }) => ({ lease, end: from.holder === RELEASED ? 'given back' : 'run out', seconds: (to.written - from.written) / 1000 }));
  }

  close(): void {
    this.closed = true;
    this.api.close();
  }

  /** What a write lacks to be its owner's. */
  private lacks({ replica, key, revision }: Write): string | undefined {
    if (key === undefined) return 'nobody knows whose that is';
    const common = this.holderOf(this.lock, revision);
    if (replicaIn(common) === replica) return undefined;
    const [, shards] = /^shards=(\d+),/.exec(common) ?? [];
    if (!shards) return `the common Lease is that of ${common || 'nobody'}`;
    const lease = shardLeaseName(this.lock, shardOf(key, Number(shards)));
    const holder = this.holderOf(lease, revision);
    return replicaIn(holder) === replica ? undefined : `${lease} is that of ${holder || 'nobody'}`;
  }

  private holderOf(lease: string, revision = Infinity): string {
    return this.leases.get(lease)?.findLast((version) => version.revision <= revision)?.holder ?? RELEASED;
  }

  /** From one owner to the next. The Leases of members say nothing of that. */
  private changes(): { lease: string; from: Version; to: Version }[] {
    return [...this.leases].filter(([lease]) => !lease.includes('-member-')).flatMap(([lease, versions]) => versions.flatMap((to, index) => {
      const from = versions[index - 1];
      return from && to.holder !== RELEASED && to.holder !== from.holder ? [{ lease, from, to }] : [];
    }));
  }

  private begin(replica: string, call: ProxiedCall): Write {
    const write = { replica, what: `${call.verb} ${call.resource} ${call.name}`, key: this.keyOf(call), revision: this.known };
    this.writes.push(write);
    return write;
  }

  private keyOf({ verb, resource, namespace, name, body }: ProxiedCall): string | undefined {
    const [plural] = resource.split('/');
    const id = `${plural}/${namespace}/${name}`;
    const { [LABEL_APP_NAME]: application, [LABEL_SCHEDULED_APP_NAME]: schedule } = body?.metadata?.labels ?? {};
    // A run is made, and deleted, by the owner of its schedule.
    const owner = plural === 'sparkapplications' ? schedule : application;
    if (verb === 'create' && owner) this.keys.set(id, `${namespace}/${owner}`);
    const isItself = /^(scheduled)?sparkapplications\/status$/.test(resource) || (plural === 'sparkapplications' && !this.keys.has(id));
    return isItself ? `${namespace}/${name}` : this.keys.get(id);
  }

  private async follow(path: string): Promise<void> {
    try {
      for await (const { type, object: { metadata, spec } } of this.api.watch(path)) {
        const revision = Number(metadata.resourceVersion);
        const version = { revision, holder: (type !== 'DELETED' && spec?.holderIdentity) || RELEASED, written: Date.parse(spec?.renewTime) };
        if (metadata.name.startsWith(this.lock)) this.leases.set(metadata.name, [...this.leases.get(metadata.name) ?? [], version]);
        this.known = Math.max(this.known, revision);
        for (const look of [...this.waiting]) look();
      }
    } catch (error) {
      if (!this.closed) throw error;
    }
  }
}

/** Of an identity, or of a candidacy of it. */
function replicaIn(holder: string): string | undefined {
  return /^(.+?)_[-0-9a-f]{36}(_\d+)?$/.exec(holder)?.[1];
}

function revisionOf({ status, body }: ProxiedAnswer): number {
  return status < 300 ? Number(JSON.parse(body.toString()).metadata?.resourceVersion ?? 0) : 0;
}
