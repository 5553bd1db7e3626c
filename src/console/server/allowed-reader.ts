import { HttpError } from './http';
import { rightText, type Right, type Viewer } from './viewer';
import type { KubeClient, Selection } from '../../kube/client';
import { isForbidden, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';

/** Objects in one page of a list. */
export const PAGE_SIZE = 500;

/** Lists objects if the viewer has the permission. */
export class AllowedReader {
  private readonly missing = new Set<string>();

  constructor(
    private readonly client: KubeClient, private readonly viewer: Viewer, private readonly namespace: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Permissions that the viewer lacked. */
  get hidden(): string[] {
    return [...this.missing];
  }

  /**
   * Returns what `pick` keeps of each object, at most `most` objects. It keeps nothing else in
   * memory.
   */
  async list<T extends KubeObject, R>(resource: Resource<T>, selection: Selection, most: number, pick: (object: T) => R): Promise<R[]> {
    const kept: R[] = [];
    await this.forEach(resource, selection, Math.min(most, PAGE_SIZE), (object) => kept.push(pick(object)) < most);
    return kept;
  }

  /**
   * Passes objects to `take` one by one, in the order of their names, until `take` returns `false`.
   */
  async forEach<T extends KubeObject>(
    resource: Resource<T>, selection: Selection, limit: number, take: (object: T) => boolean,
  ): Promise<void> {
    await this.ifAllowed(resource, async (namespace) => {
      for await (const object of this.client.list(resource, { ...selection, limit, namespace, signal: this.signal })) {
        if (!take(object)) return;
      }
    });
  }

  private async ifAllowed<R>(resource: Resource, read: (namespace: string) => Promise<R>): Promise<R | undefined> {
    const { namespace } = this;
    const right: Right = { verb: 'list', group: resource.group, resource: resource.plural, namespace };
    try {
      await this.viewer.require(right);
      return await read(namespace);
    } catch (error) {
      // The cluster might not have this kind, for example without the Gateway API.
      if (isNotFound(error)) return undefined;
      if (!isForbidden(error) && !(error instanceof HttpError && error.status === 403)) throw error;
      this.missing.add(rightText(right));
      return undefined;
    }
  }
}
