import type { CallOptions } from '../../../src/kube/client';
import type { Clock } from '../../../src/kube/clock';
import { ApiError } from '../../../src/kube/errors';
import type { LeaseClient } from '../../../src/kube/lease-lock';
import type { Lease } from '../../../src/kube/lease';
import { FakeLeases, type LeaseFault, underFault } from './fake-leases';

export type Verb = 'get' | 'list' | 'create' | 'update' | 'delete' | 'watch';

/** All the Leases of a namespace as an API server keeps them, each a `FakeLeases`, and the calls on all of them. */
export class FakeLeaseServer {
  /** Every call, also of those that went wrong, as `who verb name`. */
  readonly calls: string[] = [];
  private readonly leases = new Map<string, FakeLeases>();
  private readonly clients = new Map<string, Map<string, LeaseClient>>();
  private readonly cutOff = new Set<string>();
  private readonly faults: { readonly verb: Verb; readonly fault: LeaseFault; readonly isMeant: (name: string) => boolean }[] = [];

  /** The Leases that there are, by name. */
  get all(): ReadonlyMap<string, Lease> {
    return new Map([...this.leases].flatMap(([name, { lease }]) => (lease ? [[name, lease]] : [])));
  }

  /** Lets the next call of this verb go wrong, for a Lease of a certain name or any. */
  fail(verb: Verb, fault: LeaseFault, isMeant: (name: string) => boolean = () => true): void {
    this.faults.push({ verb, fault, isMeant });
  }

  /** Forgets the calls that have yet to go wrong. */
  noMoreFaults(): void {
    this.faults.splice(0);
  }

  /** Lets none of a process's calls through any more, or all again. */
  cut(who: string, isCut = true): void {
    if (isCut) this.cutOff.add(who);
    else this.cutOff.delete(who);
    for (const lease of this.leases.values()) lease.cut(who, isCut);
  }

  /** Puts a Lease there as if somebody had made it by hand. */
  async put(lease: Lease): Promise<void> {
    await this.of('somebody', lease.metadata.name).create(undefined as never, lease);
  }

  /** Somebody deletes a Lease. */
  remove(name: string): void {
    this.leases.get(name)!.delete();
  }

  /** The client of a process. @param clock its own, for calls that hang */
  client(who: string, clock?: Clock): LeaseClient {
    const one = <R>(verb: 'get' | 'create' | 'update' | 'watch', name: string, act: (lease: LeaseClient) => R) => this.one(who, clock, verb, name, act);
    const client = {
      get: (_: never, { name }: { name: string }, options: CallOptions) => one('get', name, (lease) => lease.get(_, undefined as never, options)),
      create: (_: never, object: Lease, options: CallOptions) => one('create', object.metadata.name, (lease) => lease.create(_, object, options)),
      update: (_: never, object: Lease, options: CallOptions) => one('update', object.metadata.name, (lease) => lease.update(_, object, options)),
      watch: (_: never, options: { fieldSelector: string }, onEvent: never) => one('watch', options.fieldSelector.split('=')[1]!, (lease) => lease.watch(_, options as never, onEvent)),
    };
    return client as unknown as LeaseClient;
  }

  /** A call on one Lease, which goes wrong there if it is to. */
  private one<R>(who: string, clock: Clock | undefined, verb: 'get' | 'create' | 'update' | 'watch', name: string, act: (lease: LeaseClient) => R): R {
    this.calls.push(`${who} ${verb} ${name}`);
    const lease = this.of(who, name, clock);
    const fault = this.faultFor(verb, name);
    if (fault) this.leases.get(name)!.fail(verb, fault);
    return act(lease);
  }

  private async call<R>(who: string, clock: Clock | undefined, options: CallOptions, verb: Verb, name: string, act: () => R): Promise<R> {
    this.calls.push(`${who} ${verb} ${name}`);
    return underFault({ verb, resource: 'leases' }, this.faultFor(verb, name), () => this.cutOff.has(who), act, clock, options);
  }

  private faultFor(verb: Verb, name: string): LeaseFault | undefined {
    const index = this.faults.findIndex((each) => each.verb === verb && each.isMeant(name));
    return index < 0 ? undefined : this.faults.splice(index, 1)[0]!.fault;
  }

  private of(who: string, name: string, clock?: Clock): LeaseClient {
    if (!this.leases.has(name)) {
      const made = new FakeLeases();
      for (const each of this.cutOff) made.cut(each);
      this.leases.set(name, made);
    }
    const clients = this.clients.get(who) ?? new Map<string, LeaseClient>();
    this.clients.set(who, clients);
    if (!clients.has(name)) clients.set(name, this.leases.get(name)!.client(who, clock));
    return clients.get(name)!;
  }
}
