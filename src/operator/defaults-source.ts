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

/** What a source of defaults works with. */
export interface DefaultsSourceOptions {
  readonly client: ListWatcher;
  /** Name of the ConfigMaps (`--defaults-config-map`). Undefined: there are no defaults, and nothing is watched. */
  readonly name: string | undefined;
  /** Where the ConfigMap for all applications is; undefined outside of a cluster, where there is none. */
  readonly operatorNamespace: string | undefined;
  /** The namespaces of applications, or all there are, which needs rights for all. More can be added later. */
  readonly namespaces: readonly string[] | 'all';
  /** Told of the namespace in which something else counts from now on; undefined: in all. */
  readonly onChange: (namespace: string | undefined) => void;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
}

/** A ConfigMap, read: what it says, or why it cannot be used. */
interface Reading extends KubeObject {
  readonly layer?: Layer;
  readonly problem?: string;
}

/** The watch of all namespaces. */
const ALL = '';

/**
 * The ConfigMaps with defaults and limits, as they are now: that of the operator's namespace and those of the applications' namespaces. Each
 * is read once for each of its versions. A change concerns submissions that begin later, nothing that runs.
 */
export class DefaultsSource {
  private readonly options: DefaultsSourceOptions;
  private readonly store: Store<Reading>;
  private readonly watches = new Map<string, Watch>();
  private started = false;

  constructor(options: DefaultsSourceOptions) {
    this.options = options;
    this.store = new Store({ onListenerError: (error) => options.logger.error({ err: error }, 'a change of defaults could not be passed on') });
    this.store.subscribe(({ type, object }) => {
      // Another cannot come: the watches only see this one.
      const configMap = keyOf(object.metadata);
      const gone = type === 'deleted';
      if (!gone && object.problem) options.logger.warn({ configMap }, object.problem);
      else options.logger.info({ configMap }, gone ? 'the defaults were deleted' : 'the defaults were read');
      this.changed(object.metadata.namespace!);
    });
    if (options.name === undefined) return;
    // The watch of all namespaces first: it makes the others needless.
    if (options.namespaces === 'all') this.add(ALL);
    else options.namespaces.forEach((namespace) => this.add(namespace));
    if (options.operatorNamespace !== undefined) this.add(options.operatorNamespace);
  }

  /** Begins to watch. Goes on until `stop`, whatever happens to the API server. */
  start(): void {
    this.started = true;
    for (const { reflector } of this.watches.values()) reflector.start();
  }

  /** Resolves when all watches have ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.watches.values()].map(({ reflector }) => reflector.stop()));
  }

  /** A namespace has come whose applications are run from now on. */
  add(namespace: string): void {
    const { options: { name, client, logger, clock }, store } = this;
    if (name === undefined || this.watches.has(namespace) || (namespace !== ALL && this.watches.has(ALL))) return;
    const reflector = new Reflector<RawConfigMap, Reading>({
      client, resource: CONFIG_MAPS, store, project: read, namespace: namespace || undefined, fieldSelector: `metadata.name=${name}`, logger, clock: clock ?? systemClock,
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

  /** The applications of a namespace are not run any more. Resolves when its watch has ended. */
  async remove(namespace: string): Promise<void> {
    if (namespace === this.options.operatorNamespace) return;
    const watch = this.watches.get(namespace);
    if (!watch) return;
    this.watches.delete(namespace);
    await watch.reflector.stop();
    const reading = this.readingIn(namespace);
    if (reading) this.store.apply('DELETED', reading, namespace);
  }

  /** What counts for the applications of a namespace. */
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

  /** How each watch is. Nothing can be submitted without that in which the ConfigMap for all applications is. */
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

  /** Once for each time that it begins: the reflector tells of each failure. */
  private reportRejection(namespace: string, watch: Watch, error: Error): void {
    const isNew = !watch.refused || watch.reflector.health().failures === 0;
    watch.refused = isRefusal(error);
    if (!watch.refused || !isNew) return;
    const fields = { namespace: namespace || ALL_NAMESPACES, configMap: this.options.name, err: error };
    this.options.logger.warn(fields, watch.synced
      ? 'the ConfigMap with defaults and limits cannot be read any more: what it said last goes on to count, and changes of it do not'
      : 'the ConfigMap with defaults and limits cannot be read: applications that it is for are not submitted');
  }

  private problemIn(namespace: string): string | undefined {
    const configMap = `ConfigMap ${namespace}/${this.options.name}`;
    const watch = this.watches.get(namespace) ?? this.watches.get(ALL);
    if (watch?.synced) return this.readingIn(namespace)?.problem;
    const { lastError } = watch?.reflector.health() ?? {};
    if (!lastError) return `${configMap}, which may hold defaults and limits, has not been looked for yet`;
    const remedy = isForbidden(lastError) ? '; grant get, list and watch of it to the operator, or start the operator with --defaults-config-map= if there are to be no defaults' : '';
    return `${configMap}, which may hold defaults and limits, cannot be looked for: ${lastError.message}${remedy}`;
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
  /** The last failure was that the API server does not let us see it. */
  refused: boolean;
}

function isRefusal(error: Error | undefined): boolean {
  return isForbidden(error) || isNotFound(error);
}

/** What is kept of a ConfigMap: what it says, not its text. */
function read(configMap: RawConfigMap): Reading {
  const { namespace, name, uid, resourceVersion } = configMap.metadata;
  const metadata = { namespace, name, uid, resourceVersion };
  try {
    return { metadata, layer: parseLayer(configMap) };
  } catch (error) {
    return { metadata, problem: error instanceof DefaultsError ? error.message : `ConfigMap ${namespace}/${name} cannot be read: ${(error as Error).message}` };
  }
}
