import type { Clock } from '../../kube/clock';
import { isForbidden } from '../../kube/errors';
import type { Logger } from '../../kube/logger';
import type { KubeObject } from '../../kube/objects';
import { type ListWatcher, Reflector } from '../../kube/reflector';
import { defineResource } from '../../kube/resource';
import { Store } from '../../kube/store';
import type { NamespaceHealth } from '../watches';
import type { NamespaceSelection } from '../../flags/configuration';

export const NAMESPACES = defineResource({ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false });

/** What the selected namespaces are found with. */
export interface SelectedNamespacesOptions {
  readonly selection: NamespaceSelection;
  readonly client: ListWatcher;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Told of a namespace that has the labels from now on. */
  readonly onSelected: (namespace: string) => void;
}

/**
 * The namespaces to watch. With a selector it is all of them: a watch of each namespace would take a connection for each, and the objects of a
 * namespace that gets the label later are known by then.
 */
export function watchedNamespaces({ names, selector }: NamespaceSelection): readonly string[] | 'all' {
  return selector === undefined ? names : 'all';
}

/** Which namespaces are selected now. Namespaces are followed only if labels select them. */
export class SelectedNamespaces {
  private readonly options: SelectedNamespacesOptions;
  private readonly labelled = new Store<KubeObject>();
  private readonly reflector?: Reflector<KubeObject>;

  constructor(options: SelectedNamespacesOptions) {
    this.options = options;
    const { selection: { names, selector }, client, logger, clock, onSelected } = options;
    if (selector === undefined || names === 'all') return;
    // The server leaves out what has other labels, and tells of a namespace that loses them as of one that is deleted.
    this.reflector = new Reflector({ client, resource: NAMESPACES, store: this.labelled, labelSelector: selector, project: nameOnly, logger, clock });
    this.labelled.subscribe(({ type, object: { metadata: { name } } }) => {
      if (type === 'added') {
        logger.info({ namespace: name }, 'the namespace is selected by its labels');
        onSelected(name);
      } else if (type === 'deleted') {
        logger.info({ namespace: name }, 'the namespace is not selected by its labels any more; its applications are left as they are');
      }
    });
  }

  /** Begins to follow namespaces, if need be. */
  start(): void {
    this.reflector?.start();
  }

  /** Ends that. */
  async stop(): Promise<void> {
    await this.reflector?.stop();
  }

  /** Whether a namespace is selected. */
  has(namespace: string): boolean {
    const { names } = this.options.selection;
    return names === 'all' || names.includes(namespace) || this.labelled.get(namespace) !== undefined;
  }

  /** How the watch of namespaces is, if there is one. */
  health(): NamespaceHealth[] {
    if (!this.reflector) return [];
    const { synced, silentFor, failures, lastError } = this.reflector.health();
    const error = failures > 0 ? lastError : undefined;
    return [{ namespace: `namespaces with ${this.options.selection.selector}`, synced, silentFor, problem: error?.message, refused: isForbidden(error), isRequired: true }];
  }
}

function nameOnly({ apiVersion, kind, metadata: { name, uid, resourceVersion } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { name, uid, resourceVersion } };
}
