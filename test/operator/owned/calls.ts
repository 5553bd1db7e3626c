import { ApiError, NetworkError } from '../../../src/kube/errors';
import type { KubeObject, Ref } from '../../../src/kube/objects';
import type { Resource } from '../../../src/kube/resource';
import type { Owner } from '../../../src/operator/owned/problem';
import { CONFIG_MAPS } from '../../../src/model/resources';

/** A minimal API server for tests of failing calls. test/api tests the acceptance by a real one. */
export class Calls {
  /** Each call, such as `create services pi-ui-svc`. */
  public made: string[] = [];
  public readonly objects = new Map<string, any>();
  /** Throws to reject a call before it has an effect. */
  public refuse: (call: string) => void = () => undefined;
  /** Throws to lose the answer of a call after its effect. */
  public lose: (call: string) => void = () => undefined;
  private version = 10;

  async create(resource: Resource, object: KubeObject): Promise<any> {
    return this.call('create', resource, object.metadata, () => {
      if (this.objects.has(key(resource, object.metadata))) throw error('create', resource, object.metadata, 409, 'AlreadyExists');
      return this.put(resource, { ...object, metadata: { ...object.metadata, uid: `uid-${this.version}` } });
    });
  }

  async get(resource: Resource, ref: Ref): Promise<any> {
    return this.call('get', resource, ref, () => this.existing('get', resource, ref));
  }

  async update(resource: Resource, object: KubeObject): Promise<any> {
    return this.call('update', resource, object.metadata, () => {
      const existing = this.existing('update', resource, object.metadata);
      if (existing.metadata.resourceVersion !== object.metadata.resourceVersion) {
        throw error('update', resource, object.metadata, 409, 'Conflict');
      }
      return this.put(resource, object);
    });
  }

  async delete(resource: Resource, ref: Ref, options: { preconditions?: { uid?: string } } = {}): Promise<void> {
    return this.call('delete', resource, ref, () => {
      if (this.existing('delete', resource, ref).metadata.uid !== options.preconditions?.uid) {
        throw error('delete', resource, ref, 409, 'Conflict');
      }
      this.objects.delete(key(resource, ref));
    });
  }

  async *list(resource: Resource, { labelSelector = '' }: { labelSelector?: string }): AsyncGenerator<any> {
    const found = this.call('list', resource, { name: labelSelector }, () => [...this.objects].filter(([name, object]) => (
      name.startsWith(`${resource.plural} `)
        && labelSelector.split(',').every((term) => object.metadata.labels?.[term.split('=')[0]!] === term.split('=')[1])
    )));
    for (const [, object] of found) yield { kind: resource.kind, ...object };
  }

  /** Stores an object as a write of another client. */
  put(resource: Resource, object: any): any {
    const { clusterIP = '10.0.0.7' } = object.spec ?? {};
    const stored = {
      ...object,
      ...resource.kind === 'Service' && { spec: { ...object.spec, clusterIP } },
      metadata: { namespace: 'jobs', ...object.metadata, resourceVersion: String(++this.version) },
    };
    this.objects.set(key(resource, stored.metadata), stored);
    return stored;
  }

  /**
   * Creates the ConfigMap with the metrics configuration of an application, as its submission does.
   */
  putMetrics(owner: Owner): void {
    this.put(CONFIG_MAPS, {
      metadata: {
        name: 'pi-prom-conf',
        uid: 'uid-metrics',
        labels: { 'sparkoperator.k8s.io/created-by-spark-operator': 'true', 'sparkoperator.k8s.io/app-uid': owner.metadata.uid },
        ownerReferences: [{
          apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: owner.metadata.name, uid: owner.metadata.uid,
          controller: true,
        }],
      },
      data: {},
    });
  }

  /** Returns the calls since the last call of this method. */
  since(): string[] {
    return this.made.splice(0);
  }

  /** Returns the same without the lists of namespaces. */
  sinceListed(): string[] {
    return this.since().filter((call) => !call.startsWith('list'));
  }

  /** Returns the names of existing objects. */
  names(): string[] {
    return [...this.objects.keys()].map((name) => name.replace('jobs/', '')).sort();
  }

  private existing(verb: string, resource: Resource, ref: Ref): any {
    const found = this.objects.get(key(resource, ref));
    if (!found) throw error(verb, resource, ref, 404, 'NotFound');
    return found;
  }

  private call<T>(verb: string, resource: Resource, { name }: Ref, act: () => T): T {
    const call = `${verb} ${resource.plural} ${name}`;
    this.made.push(call);
    this.refuse(call);
    const result = act();
    this.lose(call);
    return result;
  }
}

/** Returns an error of the API server. */
export function error(
  verb: string, resource: Pick<Resource, 'plural'>, { name }: Partial<Ref>, status: number, reason: string,
  message: string = reason,
): ApiError {
  return new ApiError({ verb, resource: resource.plural, namespace: 'jobs', name }, status, { reason, message });
}

/** Returns the error of a missing answer. */
export function lost(): NetworkError {
  return new NetworkError({ verb: 'create', resource: 'services' }, 'TIMEOUT', 'no answer');
}

function key(resource: Pick<Resource, 'plural'>, { namespace = 'jobs', name }: Ref): string {
  return `${resource.plural} ${namespace}/${name}`;
}
