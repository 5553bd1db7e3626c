import type { CallOptions, WatchEvent } from '../../../src/kube/client';
import { type Clock, sleep } from '../../../src/kube/clock';
import { ApiError, type Call, NetworkError } from '../../../src/kube/errors';
import type { LeaseClient } from '../../../src/kube/lease-lock';
import type { Lease } from '../../../src/kube/lease';

/**
 * What happens to a call: it fails before it does anything, its answer is lost, it hangs until its time is over without having arrived, or having arrived, it arrives only when a promise
 * resolves, or its answer does.
 */
export type LeaseFault = 'refused' | 'lost' | 'hangs' | 'hangs when done' | { readonly arrives: Promise<void> } | { readonly isAnswered: Promise<void> };

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

  /** The client of a candidate. @param clock of the candidate, for calls that hang */
  client(who: string, clock?: Clock): LeaseClient {
    const call = <R>(verb: string, act: () => R, options?: CallOptions): Promise<R> => {
      const index = this.faults.findIndex((fault) => fault.verb === verb);
      const fault = index < 0 ? undefined : this.faults.splice(index, 1)[0]!.fault;
      return underFault({ verb, resource: 'leases' }, fault, () => this.cutOff.has(who), act, clock, options);
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
      get: (_: unknown, _ref: unknown, options?: CallOptions) => call('get', () => this.lease ?? refuse('get', 404), options),
      create: (_: unknown, object: Lease, options?: CallOptions) => call('create', () => (this.lease ? refuse('create', 409, 'AlreadyExists') : store('create', object)), options),
      update: (_: unknown, object: Lease, options?: CallOptions) => call('update', () => {
        if (!this.lease) return refuse('update', 404);
        return object.metadata.resourceVersion === this.lease.metadata.resourceVersion ? store('update', object) : refuse('update', 409);
      }, options),
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

/** Makes a call, which goes wrong as it is to. */
async function underFault<R>(
  call: Call, fault: LeaseFault | undefined, isCut: () => boolean, act: () => R, clock?: Clock, { timeout, signal }: CallOptions = {},
): Promise<R> {
  const hang = async () => {
    await sleep(clock!, timeout!, signal);
    throw new NetworkError(call, 'TIMEOUT', `no answer in ${timeout} ms`);
  };
  if (typeof fault === 'object' && 'arrives' in fault) await fault.arrives;
  if (fault === 'hangs' && timeout !== undefined) await hang();
  if (fault === 'refused' || fault === 'hangs' || isCut()) throw new NetworkError(call, 'ECONNREFUSED', 'refused');
  const answer = act();
  if (typeof fault === 'object' && 'isAnswered' in fault) await fault.isAnswered;
  if (fault === 'hangs when done' && timeout !== undefined) await hang();
  if (fault === 'lost' || fault === 'hangs when done') throw new NetworkError(call, 'ECONNRESET', 'the answer was lost');
  return answer;
}
