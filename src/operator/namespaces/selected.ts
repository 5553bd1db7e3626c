import type { Clock } from '../../kube/clock';
import { isForbidden } from '../../kube/errors';
import type { Logger } from '../../kube/logger';
import type { KubeObject } from '../../kube/objects';
import { type ListWatcher, Reflector } from '../../kube/reflector';
import { Store } from '../../kube/store';
import { NAMESPACES } from '../../model/resources';
import type { NamespaceHealth } from '../watches';
import type { NamespaceSelection } from '../../flags/configuration';

/** Settings of the selected namespaces. */
export interface SelectedNamespacesOptions {
  readonly selection: NamespaceSelection;
  readonly client: ListWatcher;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Called with a namespace that gets the labels. */
  readonly onSelected: (namespace: string) => void;
}

/**
 * Returns the namespaces to watch, which are all of them with a selector: one watch per namespace
 * would need a connection each, and the objects of a namespace that gets the label later are
 * already cached.
 */
export function watchedNamespaces({ names, selector }: NamespaceSelection): readonly string[] | 'all' {
  return selector === undefined ? names : 'all';
}

/** The currently selected namespaces. It only watches namespaces if there is a label selector. */
export class SelectedNamespaces {
  private readonly options: SelectedNamespacesOptions;
  private readonly labelled = new Store<KubeObject>();
  private readonly reflector?: Reflector<KubeObject>;

  constructor(options: SelectedNamespacesOptions) {
    this.options = options;
    const { selection: { names, selector }, client, logger, clock, onSelected } = options;
    if (selector === undefined || names === 'all') return;
    // The server omits namespaces with other labels, and reports one that loses them as deleted.
    this.reflector = new Reflector({
      client, resource: NAMESPACES, store: this.labelled, labelSelector: selector, transform: nameOnly, logger, clock,
    });
    this.labelled.subscribe(({ type, object: { metadata: { name } } }) => {
      if (type === 'added') {
        logger.info({ namespace: name }, 'the namespace is selected by its labels');
        onSelected(name);
      } else if (type === 'deleted') {
        logger.info({ namespace: name }, 'the namespace is no longer selected by its labels; its applications remain unchanged');
      }
    });
  }

  /** Starts to watch namespaces, if there is a selector. */
  start(): void {
    this.reflector?.start();
  }

  /** Stops the watch. */
  async stop(): Promise<void> {
    await this.reflector?.stop();
  }

  /** Whether a namespace is selected. */
  has(namespace: string): boolean {
    const { names } = this.options.selection;
    return names === 'all' || names.includes(namespace) || this.labelled.get(namespace) !== undefined;
  }

  /** Returns the health of the watch of namespaces, if there is one. */
  health(): NamespaceHealth[] {
    if (!this.reflector) return [];
    const { synced, silentFor, failures, lastError } = this.reflector.health();
    const error = failures > 0 ? lastError : undefined;
    return [{
      namespace: `namespaces with ${this.options.selection.selector}`, synced, silentFor, problem: error?.message,
      refused: isForbidden(error), isRequired: true,
    }];
  }
}

function nameOnly({ apiVersion, kind, metadata: { name, uid, resourceVersion } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { name, uid, resourceVersion } };
}
