import { systemClock, type Clock } from '../kube/clock';
import { isForbidden, isNotFound } from '../kube/errors';
import type { Logger } from '../kube/logger';
import { keyOf, type KubeObject } from '../kube/objects';
import { Reflector, type ListWatcher } from '../kube/reflector';
import { Store } from '../kube/store';
import { CONFIG_MAPS } from '../model/resources';
import { ALL_NAMESPACES, type NamespaceHealth } from './watches';
import type { CurrentDefaults, Layer } from '../plan/defaults/layer';
import { DefaultsError, parseLayer, type RawConfigMap } from '../plan/defaults/parse';

/** Dependencies of a source of defaults. */
export interface DefaultsSourceOptions {
  readonly client: ListWatcher;
  /**
   * Name of the ConfigMaps (`--defaults-config-map`). Undefined: there are no defaults, and nothing
   * is watched.
   */
  readonly name: string | undefined;
  /**
   * Namespace of the ConfigMap for all applications; undefined outside of a cluster, where there is
   * none.
   */
  readonly operatorNamespace: string | undefined;
  /**
   * Namespaces of applications, or all, which needs permissions for all. More can be added later.
   */
  readonly namespaces: readonly string[] | 'all';
  /** Called with the namespace whose defaults or limits have changed; undefined: all namespaces. */
  readonly onChange: (namespace: string | undefined) => void;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
}

/** A parsed ConfigMap: its content, or its problem. */
interface Reading extends KubeObject {
  readonly layer?: Layer;
  readonly problem?: string;
}

/** The watch of all namespaces. */
const ALL = '';

/**
 * Watches the ConfigMaps with defaults and limits, in the operator's namespace and in those of the
 * applications. Each version of a ConfigMap is parsed once. A change affects only later
 * submissions, nothing that runs.
 */
export class DefaultsSource {
  private readonly options: DefaultsSourceOptions;
  private readonly store: Store<Reading>;
  private readonly watches = new Map<string, Watch>();
  private started = false;

  constructor(options: DefaultsSourceOptions) {
    this.options = options;
    this.store = new Store({
      onListenerError: (error) => options.logger.error({ err: error }, 'a change of defaults could not be passed on'),
    });
    this.store.subscribe(({ type, object }) => {
      // There is no other ConfigMap: the watches only return this one.
      const configMap = keyOf(object.metadata);
      const gone = type === 'deleted';
      if (!gone && object.problem) options.logger.warn({ configMap }, object.problem);
      else options.logger.info({ configMap }, gone ? 'the defaults were deleted' : 'the defaults were read');
      this.changed(object.metadata.namespace!);
    });
    if (options.name === undefined) return;
    // The watch of all namespaces comes first: it makes the others unnecessary.
    if (options.namespaces === 'all') this.add(ALL);
    else options.namespaces.forEach((namespace) => this.add(namespace));
    if (options.operatorNamespace !== undefined) this.add(options.operatorNamespace);
  }

  /** Starts the watches. They continue until `stop`, whatever happens to the API server. */
  start(): void {
    this.started = true;
    for (const { reflector } of this.watches.values()) reflector.start();
  }

  /** Resolves when all watches have ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.watches.values()].map(({ reflector }) => reflector.stop()));
  }

  /** Adds a namespace whose applications are handled from now on. */
  add(namespace: string): void {
    const { options: { name, client, logger, clock }, store } = this;
    if (name === undefined || this.watches.has(namespace) || (namespace !== ALL && this.watches.has(ALL))) return;
    const reflector = new Reflector<RawConfigMap, Reading>({
      client, resource: CONFIG_MAPS, store, transform: read, namespace: namespace || undefined, fieldSelector: `metadata.name=${name}`,
      logger, clock: clock ?? systemClock,
      onError: (error) => this.reportRejection(namespace, watch, error),
    });
    const watch: Watch = { reflector, synced: false, refused: false };
    this.watches.set(namespace, watch);
    void reflector.hasSynced.then((synced) => {
      if (!synced) return;
      watch.synced = true;
      this.changed(namespace);
    });
    if (this.started) reflector.start();
  }

  /**
   * Removes a namespace whose applications are no longer handled. Resolves when its watch has
   * ended.
   */
  async remove(namespace: string): Promise<void> {
    if (namespace === this.options.operatorNamespace) return;
    const watch = this.watches.get(namespace);
    if (!watch) return;
    this.watches.delete(namespace);
    await watch.reflector.stop();
    const reading = this.readingIn(namespace);
    if (reading) this.store.apply('DELETED', reading, namespace);
  }

  /** Returns the current defaults and limits for the applications of a namespace. */
  current(namespace: string): CurrentDefaults {
    const { name, operatorNamespace } = this.options;
    if (name === undefined) return { kind: 'ready', layers: {} };
    const cluster = operatorNamespace === undefined ? undefined : this.readingIn(operatorNamespace)?.layer;
    const own = namespace === operatorNamespace ? undefined : this.readingIn(namespace)?.layer;
    const layers = { ...(cluster && { cluster }), ...(own && { namespace: own }) };
    for (const watched of new Set([operatorNamespace, namespace])) {
      const reason = watched === undefined ? undefined : this.problemIn(watched);
      if (reason !== undefined) return { kind: 'unusable', reason, layers };
    }
    return { kind: 'ready', layers };
  }

  /**
   * Returns the health of the watches. Nothing can be submitted without that of the ConfigMap for
   * all applications.
   */
  health(): NamespaceHealth[] {
    return [...this.watches].map(([namespace, { reflector, synced }]) => {
      const { silentFor, failures, lastError } = reflector.health();
      const error = failures > 0 ? lastError : undefined;
      return {
        namespace: namespace || ALL_NAMESPACES,
        synced,
        silentFor,
        problem: error?.message,
        refused: isRefusal(error),
        ...((namespace === ALL || namespace === this.options.operatorNamespace) && { isRequired: true }),
      };
    });
  }

  /** Reports a rejection once each time that it begins: the reflector reports each failure. */
  private reportRejection(namespace: string, watch: Watch, error: Error): void {
    const isNew = !watch.refused || watch.reflector.health().failures === 0;
    watch.refused = isRefusal(error);
    if (!watch.refused || !isNew) return;
    const fields = { namespace: namespace || ALL_NAMESPACES, configMap: this.options.name, err: error };
    this.options.logger.warn(fields, watch.synced
      ? 'the ConfigMap with defaults and limits cannot be read any more: its last content still applies, and changes of it do not'
      : 'the ConfigMap with defaults and limits cannot be read: applications that it is for are not submitted');
  }

  private problemIn(namespace: string): string | undefined {
    const configMap = `ConfigMap ${namespace}/${this.options.name}`;
    const watch = this.watches.get(namespace) ?? this.watches.get(ALL);
    if (watch?.synced) return this.readingIn(namespace)?.problem;
    const { lastError } = watch?.reflector.health() ?? {};
    if (!lastError) return `${configMap}, which can hold defaults and limits, has not been read yet`;
    const remedy = isForbidden(lastError)
      ? '; grant get, list and watch of it to the operator, or start the operator with '
        + '--defaults-config-map= if there are to be no defaults'
      : '';
    return `${configMap}, which can hold defaults and limits, cannot be read: ${lastError.message}${remedy}`;
  }

  private readingIn(namespace: string): Reading | undefined {
    return this.store.get({ namespace, name: this.options.name! });
  }

  private changed(namespace: string): void {
    this.options.onChange(namespace === ALL || namespace === this.options.operatorNamespace ? undefined : namespace);
  }
}

interface Watch {
  readonly reflector: Reflector<RawConfigMap, Reading>;
  synced: boolean;
  /** Whether the last failure was a missing permission. */
  refused: boolean;
}

function isRefusal(error: Error | undefined): boolean {
  return isForbidden(error) || isNotFound(error);
}

/** Returns the content of a ConfigMap without its text. */
function read(configMap: RawConfigMap): Reading {
  const { namespace, name, uid, resourceVersion } = configMap.metadata;
  const metadata = { namespace, name, uid, resourceVersion };
  try {
    return { metadata, layer: parseLayer(configMap) };
  } catch (error) {
    return {
      metadata,
      problem: error instanceof DefaultsError
        ? error.message
        : `ConfigMap ${namespace}/${name} cannot be read: ${(error as Error).message}`,
    };
  }
}
