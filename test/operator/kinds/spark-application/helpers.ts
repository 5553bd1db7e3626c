import { ApiError, NetworkError } from '../../../../src/kube/errors';
import type { KubeObject, Ref } from '../../../../src/kube/objects';
import type { Resource } from '../../../../src/kube/resource';
import type { SparkApplication } from '../../../../src/model/spark-application';

/**
 * Fake API server, with just enough behaviour for tests of failing calls in the reconciler. The
 * tests in test/api cover what a real one accepts.
 */
export class Calls {
  /** Calls, such as `create pods`. */
  public readonly made: string[] = [];
  public readonly objects = new Map<string, any>();
  /** Throws to reject a call before anything happens. */
  public refuse: (call: string, number: number) => void = () => undefined;
  /** Throws to lose the answer to a call after it happened. */
  public lose: (call: string, number: number) => void = () => undefined;
  private version = 10;

  async create(resource: Resource, object: KubeObject) {
    return this.call('create', resource, object.metadata, () => {
      const key = this.key(resource, object.metadata);
      if (this.objects.has(key)) throw this.error('create', resource, object.metadata, 409, 'AlreadyExists');
      return this.put(key, { ...object, metadata: { ...object.metadata, uid: `uid-${this.version}` } });
    });
  }

  async get(resource: Resource, ref: Ref) {
    return this.call('get', resource, ref, () => {
      const found = this.objects.get(this.key(resource, ref));
      if (!found) throw this.error('get', resource, ref, 404, 'NotFound');
      return found;
    });
  }

  async updateStatus(resource: Resource, object: SparkApplication) {
    return this.call('update', resource, object.metadata, () => {
      const key = this.key(resource, object.metadata);
      const found = this.objects.get(key);
      if (found.metadata.resourceVersion !== object.metadata.resourceVersion) {
        throw this.error('update', resource, object.metadata, 409, 'Conflict');
      }
      return this.put(key, { ...found, status: object.status });
    });
  }

  async *list(resource: Resource, { namespace, labelSelector = '' }: { namespace?: string; labelSelector?: string }) {
    const [label, value] = labelSelector.split('=');
    const found = await this.call('list', resource, { namespace, name: '' }, () => [...this.objects].filter(([key, { metadata }]) => (
      key.startsWith(`${resource.plural} ${namespace}/`) && (!label || metadata.labels?.[label] === value)
    )));
    for (const [, object] of found) yield object;
  }

  async delete(resource: Resource, ref: Ref) {
    return this.call('delete', resource, ref, () => void this.objects.delete(this.key(resource, ref)));
  }

  /** Stores an object as another client's write. */
  put(key: string, object: any) {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.version) } };
    this.objects.set(key, stored);
    return stored;
  }

  key(resource: Pick<Resource, 'plural'>, { namespace, name }: Ref): string {
    return `${resource.plural} ${namespace}/${name}`;
  }

  error(verb: string, resource: Resource, { namespace, name }: Ref, status: number, reason: string, message: string = reason): ApiError {
    return new ApiError({ verb, resource: resource.plural, namespace, name }, status, { reason, message });
  }

  lost(): NetworkError {
    return new NetworkError({ verb: 'create', resource: 'pods' }, 'TIMEOUT', 'no answer');
  }

  private call<T>(verb: string, resource: Resource, _ref: Ref, act: () => T): T {
    const call = `${verb} ${resource.plural}`;
    const number = this.made.push(call);
    this.refuse(call, number);
    const result = act();
    this.lose(call, number);
    return result;
  }
}
