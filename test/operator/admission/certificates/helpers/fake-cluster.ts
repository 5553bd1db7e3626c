import type { JsonPatchOperation, Patch, WatchEvent } from '../../../../../src/kube/client';
import { ApiError, NetworkError } from '../../../../../src/kube/errors';
import type { KubeObject, Ref } from '../../../../../src/kube/objects';
import type { Resource } from '../../../../../src/kube/resource';
import type { Secret, WebhookConfiguration } from '../../../../../src/model/kubernetes-objects';
import type { CertificateClient } from '../../../../../src/operator/admission/certificates/self-managed';

export const SECRET = { namespace: 'operator', name: 'certs' };
export const SERVICE = { namespace: 'operator', name: 'webhook' };
export const HOST = 'webhook.operator.svc';
export const CONFIGURATION = 'spark-operator-operator';
export const PLURALS = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'] as const;

/** A call before or after it reaches the cluster. */
export interface FakeCall {
  readonly who: string;
  /** For example `update secrets`. */
  readonly what: string;
}

/**
 * The objects of an installation as an API server stores them, with optimistic concurrency, JSON
 * patches and watches. It injects failures on demand.
 */
export class FakeCluster {
  readonly objects = new Map<string, KubeObject>();
  /** All successful writes, as `who verb plural`. */
  readonly writes: string[] = [];
  /**
   * Awaited before a call is executed, and before it is answered. The call rejects with what it
   * throws.
   */
  before: (call: FakeCall) => unknown = () => {};
  after: (call: FakeCall) => unknown = () => {};
  /** Called with each write. */
  onWrite: () => void = () => {};
  private version = 100;
  private readonly watchers = new Map<(event: WatchEvent<KubeObject>) => void, { readonly who: string; readonly key: string }>();
  private readonly cutOff = new Set<string>();

  constructor() {
    this.put('secrets', { metadata: { ...SECRET } });
    for (const plural of PLURALS) {
      const webhooks = ['a.example.org', 'b.example.org'].map((name) => ({
        name, clientConfig: { service: { ...SERVICE, path: `/${name}` } }, sideEffects: 'None',
      }));
      this.put(plural, { metadata: { name: CONFIGURATION }, webhooks } as KubeObject);
    }
  }

  get secret(): Secret {
    return this.objects.get(`secrets/${SECRET.name}`) as Secret;
  }

  /** Returns the text of a key of the Secret. */
  text(key: string): string | undefined {
    const value = this.secret.data?.[key];
    return value === undefined ? undefined : Buffer.from(value, 'base64').toString();
  }

  /** Replaces the data of the Secret, as another client. */
  setTexts(texts: Record<string, string | undefined>): void {
    const data = Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, Buffer.from(text).toString('base64')]]));
    this.put('secrets', { ...this.secret, data: Object.fromEntries(data) } as KubeObject);
  }

  configuration(plural: string = PLURALS[0]): WebhookConfiguration {
    return this.objects.get(`${plural}/${CONFIGURATION}`) as WebhookConfiguration;
  }

  /** Returns the bundles of the webhooks of all configurations. */
  bundles(): (string | undefined)[] {
    return PLURALS.flatMap((plural) => (this.configuration(plural)?.webhooks ?? []).map(
      ({ clientConfig: { caBundle } }) => (caBundle === undefined ? undefined : Buffer.from(caBundle, 'base64').toString()),
    ));
  }

  /** Stores an object, or deletes it if none is given. */
  put(plural: string, object: KubeObject): void {
    const key = `${plural}/${object.metadata.name}`;
    const stored = { ...structuredClone(object), metadata: { ...object.metadata, resourceVersion: `${++this.version}` } };
    const type = this.objects.has(key) ? 'MODIFIED' : 'ADDED';
    this.objects.set(key, stored);
    this.notify(key, { type, object: stored });
  }

  delete(plural: string, name: string): void {
    const key = `${plural}/${name}`;
    const object = this.objects.get(key)!;
    this.objects.delete(key);
    this.notify(key, { type: 'DELETED', object });
  }

  /** Disconnects a replica from the cluster, or connects it again. */
  cut(who: string, isCut = true): void {
    if (isCut) this.cutOff.add(who);
    else this.cutOff.delete(who);
  }

  client(who: string): CertificateClient {
    const call = async <R>(verb: string, { plural }: Resource, act: () => R): Promise<R> => {
      const what = `${verb} ${plural}`;
      await this.before({ who, what });
      if (this.cutOff.has(who)) throw new NetworkError({ verb, resource: plural }, 'ECONNREFUSED', 'refused');
      const answer = structuredClone(act());
      await this.after({ who, what });
      return answer;
    };
    const find = (verb: string, { plural }: Resource, { name }: Ref): KubeObject => {
      const object = this.objects.get(`${plural}/${name}`);
      if (!object) throw new ApiError({ verb, resource: plural, name }, 404);
      return object;
    };
    const store = (verb: string, { plural }: Resource, object: KubeObject): KubeObject => {
      this.writes.push(`${who} ${verb} ${plural}`);
      this.put(plural, object);
      this.onWrite();
      return this.objects.get(`${plural}/${object.metadata.name}`)!;
    };
    return {
      get: (resource: Resource, ref: Ref) => call('get', resource, () => find('get', resource, ref)),
      update: (resource: Resource, object: KubeObject) => call('update', resource, () => {
        const { resourceVersion } = find('update', resource, object.metadata).metadata;
        if (object.metadata.resourceVersion !== resourceVersion) throw new ApiError({ verb: 'update', resource: resource.plural }, 409);
        return store('update', resource, object);
      }),
      patch: (resource: Resource, ref: Ref, { body }: Patch) => call('patch', resource, () => (
        store('patch', resource, patched(find('patch', resource, ref), body as JsonPatchOperation[]))
      )),
      watch: async (
        resource: Resource, { fieldSelector, signal }: { fieldSelector: string; signal: AbortSignal },
        onEvent: (event: WatchEvent<KubeObject>) => void,
      ) => {
        await call('watch', resource, () => undefined);
        const key = `${resource.plural}/${fieldSelector.slice('metadata.name='.length)}`;
        const object = this.objects.get(key);
        if (object) onEvent({ type: 'ADDED', object });
        await new Promise<void>((_, reject) => {
          this.watchers.set(onEvent, { who, key });
          const end = () => {
            this.watchers.delete(onEvent);
            reject(signal.reason);
          };
          if (signal.aborted) end();
          else signal.addEventListener('abort', end, { once: true });
        });
      },
    } as unknown as CertificateClient;
  }

  private notify(key: string, event: WatchEvent<KubeObject>): void {
    for (const [onEvent, watcher] of [...this.watchers]) if (watcher.key === key && !this.cutOff.has(watcher.who)) onEvent(event);
  }
}

function patched(object: KubeObject, operations: readonly JsonPatchOperation[]): KubeObject {
  const result = structuredClone(object);
  for (const { op, path, value } of operations) {
    const parts = path.slice(1).split('/');
    const last = parts.pop()!;
    const parent = parts.reduce((whole: any, part) => whole[part], result);
    if (op === 'test' && parent[last] !== value) {
      throw new ApiError({ verb: 'patch', resource: '' }, 422, { message: `testing value ${path} failed` });
    }
    if (op === 'add' || op === 'replace') parent[last] = value;
  }
  return result;
}
