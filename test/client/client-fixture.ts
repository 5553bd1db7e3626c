import type { KubeClient, ListPage, Patch, Selection, WatchEvent, WatchOptions } from '../../src/kube/client';
import { ApiError, NetworkError } from '../../src/kube/errors';
import type { LogOptions } from '../../src/kube/logs';
import type { KubeObject, Ref } from '../../src/kube/objects';
import type { Resource } from '../../src/kube/resource';
import { SparkClient } from '../../src/client/spark-client';
import { PODS, SPARK_APPLICATIONS } from '../../src/model/resources';
import { ApiServer, type Change, type Stored } from '../operator/kinds/spark-application/model/api-server';
import { ModelClock } from '../operator/kinds/spark-application/model/model-clock';

/** Times in milliseconds: waits are shorter, timeouts longer. */
const LONG = 30_000;

/** Fault of a call: the request is lost, or it is processed and the answer is lost. */
export type Fault = 'request lost' | 'answer lost';

/** Log, as the kubelet streams it. */
export type Log = (options: LogOptions) => AsyncIterable<Buffer>;

/**
 * Client with an API server in memory. Tests make calls fail and watches break, and act as the
 * operator through `status`.
 *
 * Time is real, but waits take none: tests await events instead.
 */
export class ClientFixture {
  readonly server = new ApiServer(new ModelClock());
  /** Arrived calls in order, such as `create pi`. */
  readonly calls: string[] = [];
  readonly client: SparkClient;
  /** Logs by the name of the pod. */
  readonly logs = new Map<string, Log>();
  private readonly faults: { readonly verb: string; readonly fault: Fault | Error; readonly then?: () => void }[] = [];
  private readonly watches = new Set<{ readonly fail: (error: Error) => void }>();
  private readonly deadlines: (() => void)[] = [];
  private changed: (() => void)[] = [];
  private arrived: { readonly call: string; readonly resolve: () => void }[] = [];

  constructor() {
    this.server.onChange = () => this.changed.splice(0).forEach((notify) => notify());
    const immediately = {
      now: () => Date.parse('2026-03-01T10:00:00Z'),
      monotonic: () => performance.now(),
      setTimeout: (callback: () => void, ms: number) => (ms > LONG ? this.deadlines.push(callback) && undefined : setImmediate(callback)),
      clearTimeout: (timer: unknown) => clearImmediate(timer as NodeJS.Immediate | undefined),
    };
    this.client = SparkClient.of({ client: this.facade(), namespace: 'jobs', clock: immediately, random: () => 0.5 });
  }

  /** Makes the next call of a verb fail. */
  fail(verb: string, fault: Fault | Error, then?: () => void): void {
    this.faults.push({ verb, fault, then });
  }

  /** Resolves when a call arrives. */
  arrival(call: string): Promise<void> {
    return new Promise((resolve) => { this.arrived.push({ call, resolve }); });
  }

  /** Breaks all watches. */
  breakWatches(): void {
    for (const { fail } of [...this.watches]) fail(lost('watch'));
  }

  /** Ends all time limits. */
  timeIsOver(): void {
    this.deadlines.splice(0).forEach((end) => end());
  }

  /** Writes a status, as the operator does. */
  status(name: string, status: object): Stored {
    const application = this.server.get(SPARK_APPLICATIONS, { namespace: 'jobs', name });
    return this.server.updateStatus('operator', SPARK_APPLICATIONS, {
      ...application, status: { driverInfo: {}, ...application.status, observedGeneration: application.metadata.generation, ...status },
    });
  }

  /** Writes a state, as the operator does. */
  state(name: string, state: string, more: object = {}): Stored {
    return this.status(name, { applicationState: { state }, ...more });
  }

  delete(name: string): void {
    this.server.remove('somebody', SPARK_APPLICATIONS, { namespace: 'jobs', name });
  }

  /** Creates the driver of an attempt, with a log. */
  driver(name: string, submission: string, log: Log, phase = 'Running'): void {
    const ref = { namespace: 'jobs', name: `${name}-driver` };
    if (this.server.find(PODS, ref)) this.server.remove('operator', PODS, ref);
    const containers = [{ name: 'sidecar' }, { name: 'spark', env: [{ name: 'SPARK_DRIVER_BIND_ADDRESS' }] }];
    this.server.create('operator', PODS, {
      metadata: { ...ref, labels: { 'sparkoperator.k8s.io/submission-id': submission } }, spec: { containers },
    });
    this.endDriver(name, phase);
    this.logs.set(ref.name, log);
  }

  /** Changes the phase of a driver. */
  endDriver(name: string, phase: string): void {
    const pod = this.server.get(PODS, { namespace: 'jobs', name: `${name}-driver` });
    this.server.updateStatus('kubelet', PODS, { ...pod, status: { phase } });
  }

  /** Returns the application by its name. */
  application(name: string): Stored | undefined {
    return this.server.find(SPARK_APPLICATIONS, { namespace: 'jobs', name });
  }

  private facade(): KubeClient {
    const call = <T>(verb: string, name: string, work: () => T) => this.call(verb, name, work);
    return {
      create: (resource: Resource, object: KubeObject) => call(
        'create', object.metadata.name, () => this.server.create('client', resource, object),
      ),
      get: (resource: Resource, ref: Ref) => call('get', ref.name, () => this.server.get(resource, ref)),
      delete: (resource: Resource, ref: Ref, { preconditions }: { preconditions?: object }) => (
        call('delete', ref.name, () => this.server.delete('client', resource, ref, preconditions))
      ),
      patch: (resource: Resource, ref: Ref, patch: Patch) => call('patch', ref.name, () => this.patch(resource, ref, patch)),
      openPage: (resource: Resource, options: { namespace?: string }) => call('list', resource.plural, () => this.page(resource, options)),
      list: async function* list(
        this: KubeClient, resource: Resource, options: object,
      ) { yield* (await this.openPage(resource, options)).items; },
      watch: (resource: Resource, options: WatchOptions, onEvent: (
        event: WatchEvent<KubeObject>,
      ) => void) => this.watch(resource, options, onEvent),
      bytes: (_: Resource, ref: Ref, __: string, { query, signal }: { query: LogOptions; signal?: AbortSignal }) => {
        this.calls.push(`log ${ref.name}`);
        return this.logs.get(ref.name)!({ ...query, signal });
      },
      close: () => {},
    } as unknown as KubeClient;
  }

  private async call<T>(verb: string, name: string, work: () => T): Promise<T> {
    await new Promise((resolve) => { setImmediate(resolve); });
    this.calls.push(`${verb} ${name}`);
    this.arrived = this.arrived.filter(({ call: wanted, resolve }) => {
      if (wanted === `${verb} ${name}`) resolve();
      return wanted !== `${verb} ${name}`;
    });
    const index = this.faults.findIndex((each) => each.verb === verb);
    const found = index < 0 ? undefined : this.faults.splice(index, 1)[0]!;
    if (found?.fault === 'answer lost') work();
    found?.then?.();
    if (found) throw found.fault instanceof Error ? found.fault : lost(verb);
    return work();
  }

  private patch(resource: Resource, ref: Ref, patch: Patch): Stored {
    const before = this.server.find(resource, ref);
    const body = patch.body as KubeObject;
    if (!before && patch.type === 'apply') return this.server.create('client', resource, body);
    const { metadata } = this.server.get(resource, ref);
    if (body.metadata?.uid !== undefined && body.metadata.uid !== metadata.uid) {
      throw new ApiError({ verb: 'patch', resource: resource.plural, ...ref }, 422, {
        reason: 'Invalid', details: { causes: [{ reason: 'FieldValueInvalid', field: 'metadata.uid' }] },
      });
    }
    return this.server.update('client', resource, merged(before, body) as Stored);
  }

  private page(resource: Resource, selection: Selection): ListPage<KubeObject> {
    return { items: this.server.all(resource).filter(selects(selection)), metadata: { resourceVersion: this.version } };
  }

  /** Each change gets a new one. */
  private get version(): string {
    return this.server.log.at(-1)?.object.metadata.resourceVersion ?? '100';
  }

  private async watch(resource: Resource, options: WatchOptions, onEvent: (event: WatchEvent<KubeObject>) => void): Promise<void> {
    const { resourceVersion, onActivity, signal } = options;
    const isSelected = selects(options);
    this.calls.push(`watch ${resource.plural}`);
    let failure: unknown;
    const watch = { fail: (error: Error) => { failure = error; this.changed.splice(0).forEach((notify) => notify()); } };
    this.watches.add(watch);
    const abort = () => watch.fail(signal!.reason);
    signal?.addEventListener('abort', abort);
    const concerns = ({ plural, object }: Change) => plural === resource.plural && isSelected(object);
    try {
      onActivity?.();
      for (let last = Number(resourceVersion); ;) {
        if (failure !== undefined || signal?.aborted) throw failure ?? signal!.reason;
        const next = this.server.log.find(({ object }) => Number(object.metadata.resourceVersion) > last);
        if (next) {
          last = Number(next.object.metadata.resourceVersion);
          if (concerns(next)) onEvent({ type: next.type, object: next.object });
        } else {
          await new Promise<void>((resolve) => { this.changed.push(resolve); });
        }
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      this.watches.delete(watch);
    }
  }
}

/** Whether an object matches a selection, as far as these tests need it. */
function selects({ namespace, fieldSelector, labelSelector }: Selection): (object: Stored) => boolean {
  const [label, value] = (labelSelector ?? '').split('=');
  return ({ metadata }) => (namespace === undefined || metadata.namespace === namespace)
    && (!fieldSelector || fieldSelector === `metadata.name=${metadata.name}`)
    && (!label || metadata.labels?.[label] === value);
}

/** Returns the error for a lost request or answer. */
export function lost(verb: string): NetworkError {
  return new NetworkError({ verb, resource: 'sparkapplications' }, 'ECONNRESET', 'socket hang up');
}

/** Applies a JSON merge patch (RFC 7386). */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const before = typeof target === 'object' && target !== null ? target as Record<string, unknown> : {};
  const changes = Object.entries(patch).map(([key, value]) => [key, merged(before[key], value)]);
  return Object.fromEntries(Object.entries({ ...before, ...Object.fromEntries(changes) }).filter(([, value]) => value !== null));
}
