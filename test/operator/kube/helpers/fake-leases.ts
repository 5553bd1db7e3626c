import type { WatchEvent } from '../../../../src/operator/kube/client';
import { ApiError, type Call, NetworkError } from '../../../../src/operator/kube/errors';
import type { LeaseClient } from '../../../../src/operator/kube/leader-election';
import type { Lease } from '../../../../src/operator/kube/lease';

/** What happens to a call: it fails before it does anything, its answer is lost, it arrives only when a promise resolves, or its answer does. */
export type LeaseFault = 'refused' | 'lost' | { readonly arrives: Promise<void> } | { readonly isAnswered: Promise<void> };

/** One Lease as an API server keeps it: optimistic concurrency, watches, and what can go wrong on demand. */
export class FakeLeases {
  lease?: Lease;
  /** Every write that succeeded, as `who verb holder`. */
  readonly writes: string[] = [];
  private resourceVersion = 100;
  private readonly watchers = new Set<(event: WatchEvent<Lease>) => void>();
  private readonly faults: { readonly verb: string; readonly fault: LeaseFault }[] = [];
  private readonly cutOff = new Set<string>();

  /** How many follow the Lease. */
  get watching(): number {
    return this.watchers.size;
  }

  /** Lets the next call of this verb go wrong. */
  fail(verb: 'get' | 'create' | 'update' | 'watch', fault: LeaseFault): void {
    this.faults.push({ verb, fault });
  }

  /** Lets none of a candidate's calls through any more, or all again. */
  cut(who: string, isCut = true): void {
    if (isCut) this.cutOff.add(who);
    else this.cutOff.delete(who);
  }

  /** Somebody deletes the Lease. */
  delete(): void {
    const old = this.lease!;
    this.lease = undefined;
    for (const watcher of this.watchers) watcher({ type: 'DELETED', object: old });
  }

  /** The client of a candidate. */
  client(who: string): LeaseClient {
    const call = async <R>(verb: string, act: () => R): Promise<R> => {
      const name: Call = { verb, resource: 'leases' };
      const index = this.faults.findIndex((fault) => fault.verb === verb);
      const fault = index < 0 ? undefined : this.faults.splice(index, 1)[0]!.fault;
      if (typeof fault === 'object' && 'arrives' in fault) await fault.arrives;
      if (fault === 'refused' || this.cutOff.has(who)) throw new NetworkError(name, 'ECONNREFUSED', 'refused');
      const answer = act();
      if (typeof fault === 'object' && 'isAnswered' in fault) await fault.isAnswered;
      if (fault === 'lost') throw new NetworkError(name, 'ECONNRESET', 'the answer was lost');
      return answer;
    };
    const refuse = (verb: string, status: number, reason?: string) => { throw new ApiError({ verb, resource: 'leases' }, status, { reason }); };
    const store = (verb: string, object: Lease): Lease => {
      const resourceVersion = String(++this.resourceVersion);
      const uid = this.lease?.metadata.uid ?? `uid-${resourceVersion}`;
      const type = this.lease ? 'MODIFIED' : 'ADDED';
      this.lease = { ...object, metadata: { ...object.metadata, uid, resourceVersion } };
      this.writes.push(`${who} ${verb} ${object.spec?.holderIdentity || '-'}`);
      for (const watcher of [...this.watchers]) watcher({ type, object: this.lease });
      return this.lease;
    };
    const client = {
      get: () => call('get', () => this.lease ?? refuse('get', 404)),
      create: (_: unknown, object: Lease) => call('create', () => (this.lease ? refuse('create', 409, 'AlreadyExists') : store('create', object))),
      update: (_: unknown, object: Lease) => call('update', () => {
        if (!this.lease) return refuse('update', 404);
        return object.metadata.resourceVersion === this.lease.metadata.resourceVersion ? store('update', object) : refuse('update', 409);
      }),
      watch: async (_: unknown, { signal }: { signal: AbortSignal }, onEvent: (event: WatchEvent<Lease>) => void) => {
        await call('watch', () => undefined);
        await new Promise<void>((_resolve, reject) => {
          const watcher = (event: WatchEvent<Lease>) => { if (!this.cutOff.has(who)) onEvent(event); };
          this.watchers.add(watcher);
          const end = () => {
            this.watchers.delete(watcher);
            reject(signal.reason);
          };
          if (signal.aborted) end();
          else signal.addEventListener('abort', end, { once: true });
        });
      },
    };
    return client as unknown as LeaseClient;
  }
}
