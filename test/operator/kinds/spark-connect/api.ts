import { isDeepStrictEqual } from 'node:util';
import { ApiError, NetworkError } from '../../../../src/kube/errors';
import type { KubeObject, Ref } from '../../../../src/kube/objects';
import type { Resource } from '../../../../src/kube/resource';

type Kind = Pick<Resource, 'plural'>;

/**
 * The parts of an API server that the reconciler's calls need. Calls can be refused, and their
 * answers can be lost. Pods end gracefully if `graceful` is true.
 */
export class Api {
  /** Each call, for example `create pods`. */
  readonly made: string[] = [];
  readonly objects = new Map<string, any>();
  /** Throws to refuse a call before it has an effect. */
  refuse: (call: string, number: number) => void = () => undefined;
  /** Throws to lose the answer to a call after its effect. */
  lose: (call: string, number: number) => void = () => undefined;
  graceful = false;
  private version = 100;

  constructor(private readonly now: () => number) {}

  async create(kind: Kind, object: KubeObject) {
    return this.call('create', kind, () => {
      if (this.find(kind, object.metadata)) throw this.error('create', kind, object.metadata, 409, 'AlreadyExists');
      const creationTimestamp = new Date(this.now()).toISOString();
      return this.put(kind, {
        ...json(object), metadata: {
          ...json(object.metadata), uid: `${kind.plural}-${this.version}`, creationTimestamp,
        }, ...(kind.plural === 'pods' && { status: { phase: 'Pending' } }),
      });
    });
  }

  async get(kind: Kind, ref: Ref) {
    return this.call('get', kind, () => this.live('get', kind, ref));
  }

  async update(kind: Kind, object: KubeObject) {
    return this.call('update', kind, () => this.put(kind, { ...this.live('update', kind, object.metadata), ...json(object) }));
  }

  async updateStatus(kind: Kind, { metadata, status }: any) {
    return this.call('update', { plural: `${kind.plural}/status` }, () => {
      const found = this.live('update', kind, metadata);
      if (found.metadata.resourceVersion !== metadata.resourceVersion || found.metadata.uid !== metadata.uid) {
        throw this.error('update', kind, metadata, 409, 'Conflict');
      }
      return isDeepStrictEqual(found.status, json(status)) ? found : this.put(kind, { ...found, status: json(status) });
    });
  }

  async *list(kind: Kind, { namespace, labelSelector = '' }: { namespace?: string; labelSelector?: string }) {
    const wanted = labelSelector.split(',').filter(Boolean).map((part) => part.split('='));
    yield* this.call('list', kind, () => this.all(kind).filter(({ metadata }) => (
      metadata.namespace === namespace && wanted.every(([label, value]) => (value === undefined
        ? metadata.labels?.[label!] !== undefined
        : metadata.labels?.[label!] === value))
    )));
  }

  async delete(kind: Kind, ref: Ref, { preconditions = {}, gracePeriodSeconds }: {
    preconditions?: { uid?: string; resourceVersion?: string };
    gracePeriodSeconds?: number;
  } = {}) {
    return this.call('delete', kind, () => {
      const found = this.live('delete', kind, ref);
      const { uid, resourceVersion } = found.metadata;
      const holds = [
        [preconditions.uid, uid], [preconditions.resourceVersion, resourceVersion],
      ].every(([wanted, is]) => wanted === undefined || wanted === is);
      if (!holds) throw this.error('delete', kind, ref, 409, 'Conflict');
      if (kind.plural !== 'pods' || !this.graceful || gracePeriodSeconds === 0) return this.remove(kind, ref);
      if (!found.metadata.deletionTimestamp) {
        this.put(kind, { ...found, metadata: { ...found.metadata, deletionTimestamp: new Date(this.now() + 30_000).toISOString() } });
      }
    });
  }

  /** Returns the current object. */
  find(kind: Kind, { namespace, name }: Ref): any {
    return this.objects.get(`${kind.plural} ${namespace}/${name}`);
  }

  all(kind: Kind): any[] {
    return [...this.objects].filter(([key]) => key.startsWith(`${kind.plural} `)).map(([, object]) => object);
  }

  /** Stores an object, as another client. */
  put(kind: Kind, object: any): any {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.version) } };
    this.objects.set(`${kind.plural} ${object.metadata.namespace}/${object.metadata.name}`, stored);
    return stored;
  }

  remove(kind: Kind, { namespace, name }: Ref): void {
    this.objects.delete(`${kind.plural} ${namespace}/${name}`);
  }

  error(verb: string, kind: Kind, { namespace, name }: Ref, status: number, reason: string, message: string = reason): ApiError {
    return new ApiError({ verb, resource: kind.plural, namespace, name }, status, { reason, message });
  }

  lost(): NetworkError {
    return new NetworkError({ verb: 'create', resource: 'pods' }, 'TIMEOUT', 'no answer');
  }

  private live(verb: string, kind: Kind, ref: Ref): any {
    const found = this.find(kind, ref);
    if (!found) throw this.error(verb, kind, ref, 404, 'NotFound');
    return found;
  }

  private call<T>(verb: string, kind: Kind, act: () => T): T {
    const call = `${verb} ${kind.plural}`;
    const number = this.made.push(call);
    this.refuse(call, number);
    const result = act();
    this.lose(call, number);
    return result;
  }
}

/** Returns an object as it is sent, without undefined fields. */
function json<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}
