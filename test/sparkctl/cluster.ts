import type { KubeClient, Patch } from '../../src/kube/client';
import { ApiError } from '../../src/kube/errors';
import type { KubeObject, Ref } from '../../src/kube/objects';
import type { Resource } from '../../src/kube/resource';

interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** In-memory API server with the methods that commands need. */
export class FakeCluster {
  /** Changes, such as `patch sparkapplications jobs/pi {…}`. */
  readonly changes: string[] = [];
  /** Forbidden actions, such as `list pods` or `create sparkapplications pi`. */
  readonly forbidden = new Set<string>();
  /** Logs by the name of the pod. */
  readonly logs = new Map<string, string>();
  private readonly objects = new Map<string, KubeObject>();

  /** Calls that read, such as `list pods`. */
  readonly reads: string[] = [];

  put(plural: string, object: KubeObject): this {
    this.objects.set(`${plural} ${object.metadata.namespace ?? ''}/${object.metadata.name}`, object);
    return this;
  }

  /** Methods that commands use. */
  get client(): KubeClient {
    const find = (verb: string, { plural }: Resource, { namespace = '', name }: Ref) => {
      this.check(verb, plural, namespace, name);
      const object = this.objects.get(`${plural} ${namespace}/${name}`);
      if (!object) throw new ApiError({ verb, resource: plural, namespace, name }, 404, { message: `${plural} "${name}" not found` });
      return object;
    };
    const fake = {
      get: async (resource: Resource, ref: Ref) => find('get', resource, ref),
      list: (resource: Resource, selection: Selection) => this.list(resource, selection),
      listPage: async (resource: Resource, { limit, ...selection }: Selection & { readonly limit: number }) => {
        const items: KubeObject[] = [];
        for await (const object of this.list(resource, selection)) if (items.length < limit) items.push(object);
        return { items, metadata: {} };
      },
      patch: async (resource: Resource, ref: Ref, patch: Patch) => {
        const changed = merged(find('patch', resource, ref), patch.body) as KubeObject;
        this.changes.push(`patch ${resource.plural} ${ref.namespace}/${ref.name} ${JSON.stringify(patch.body)}`);
        this.put(resource.plural, changed);
        return changed;
      },
      create: async (resource: Resource, object: KubeObject) => {
        const { namespace, name } = object.metadata;
        this.check('create', resource.plural, namespace, name);
        this.changes.push(`create ${resource.plural} ${namespace}/${name}`);
        this.put(resource.plural, object);
        return object;
      },
      delete: async (resource: Resource, ref: Ref) => {
        find('delete', resource, ref);
        this.changes.push(`delete ${resource.plural} ${ref.namespace}/${ref.name}`);
        this.objects.delete(`${resource.plural} ${ref.namespace}/${ref.name}`);
      },
      // An access review.
      request: async ({ body }: { readonly body: { readonly spec: { readonly resourceAttributes: { readonly [field: string]: string } } } }) => {
        const { verb, resource, name } = body.spec.resourceAttributes;
        return { status: { allowed: !this.isForbidden(verb!, resource!, name) } };
      },
      bytes: (resource: Resource, ref: Ref, subresource: string) => this.log(`${resource.plural}/${subresource}`, ref),
      close: () => {},
    };
    return fake as unknown as KubeClient;
  }

  private async *log(resource: string, { namespace, name }: Ref): AsyncGenerator<Buffer> {
    this.check('get', resource, namespace, name);
    yield Buffer.from(this.logs.get(name) ?? '');
  }

  private async *list({ plural }: Resource, { namespace, labelSelector, fieldSelector }: Selection): AsyncGenerator<KubeObject> {
    this.check('list', plural, namespace);
    const [wantedLabels, wantedFields] = [labelSelector, fieldSelector].map((selector) => (selector ?? '').split(',').filter(Boolean).map((part) => part.split('=') as [string, string]));
    for (const [key, object] of this.objects) {
      const { metadata } = object;
      if (!key.startsWith(`${plural} `) || (namespace !== undefined && metadata.namespace !== namespace)) continue;
      if (!wantedLabels!.every(([label, value]) => (value === undefined ? metadata.labels?.[label] !== undefined : metadata.labels?.[label] === value))) continue;
      if (!wantedFields!.every(([path, value]) => path.split('.').reduce<any>((part, field) => part?.[field], object) === value)) continue;
      yield object;
    }
  }

  private check(verb: string, resource: string, namespace?: string, name?: string): void {
    if (verb === 'get' || verb === 'list') this.reads.push(`${verb} ${resource}`);
    if (!this.isForbidden(verb, resource, name)) return;
    throw new ApiError({ verb, resource, namespace, name }, 403, { message: `User "jane" cannot ${verb} resource "${resource}"` });
  }

  private isForbidden(verb: string, resource: string, name?: string): boolean {
    return [`${verb} ${resource}`, `${verb} ${resource} ${name}`].some((action) => this.forbidden.has(action));
  }
}

/** Applies a merge patch (RFC 7396). */
function merged(target: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> = { ...(target && typeof target === 'object' ? target : {}) };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = merged(result[field], value);
  }
  return result;
}
