import { randomUUID } from 'node:crypto';
import type { ScheduledSparkApplicationProps } from '../props/scheduled-spark-application-props';
import type { SparkApplicationProps } from '../props/spark-application-props';
import type { KubeClient } from '../kube/client';
import { systemClock } from '../kube/clock';
import { isConflict, isNotFound } from '../kube/errors';
import { followLog } from '../kube/logs';
import { PODS, SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../model/resources';
import * as actions from '../model/actions/actions';
import { checkRequestId, createOnce } from './create-once';
import { currentLog, followedLog, type LogSource } from './driver-log';
import { follow, followOne, notFound } from '../model/actions/follow';
import { applicationFromManifest, applicationFromProps, scheduleFromManifest, scheduleFromProps } from './manifest';
import { retry, type Dependencies } from '../model/actions/retry';
import { withLog, type Completed, type Deleted, type Failed, type Reached, type Result, type TimedOut } from './result';
import { endOfDriverLog } from '../model/actions/driver-log-end';
import { startRunNow } from '../model/actions/run-now';
import type {
  ApplicationEvent, CallSettings, CancelOptions, ConnectOptions, LogOptions, ObjectRef, RunNowOptions,
  ScheduledSparkApplicationManifest, ScheduledSparkApplicationObject,
  Selection, SparkApplicationManifest, SparkApplicationObject, SubmitOptions, Target, WaitOptions,
} from './types';
import { waitFor } from './wait';

/** Version of the package, which the bundler inserts. */
declare const PACKAGE_VERSION: string;

/** Field manager of the client for server-side apply. */
const FIELD_MANAGER = 'cdk8s-spark-operator-client';

/** Default timeout for the start of a requested run, in milliseconds. */
const RUN_NOW_TIMEOUT = 60_000;

/** Dependencies that tests replace. */
interface Parts extends Partial<Dependencies> {
  readonly client: KubeClient;
  readonly namespace: string;
}

/**
 * Client that runs Spark applications from a program, such as a step of a pipeline. It has the
 * permissions of the kubeconfig's user, or of the pod's service account.
 *
 * While the API server does not answer, idempotent calls are repeated for about half a minute. All
 * methods reject with an `ApiError` for an answer with an error, with a `NetworkError` without an
 * answer, and with the signal's reason when they are aborted.
 *
 * A client keeps connections open: close it, or declare it with `await using`.
 */
export class SparkClient {
  /**
   * Creates a client. Sends nothing yet.
   *
   * @throws {ConfigurationError} when the kubeconfig is missing or invalid
   */
  static async connect(options: ConnectOptions = {}): Promise<SparkClient> {
    const [{ findCluster }, { KubeClient: Client }] = await Promise.all([import('./find-cluster'), import('../kube/client')]);
    const connection = findCluster(options);
    return new SparkClient({
      client: new Client(connection, { userAgent: `cdk8s-spark-operator-client/${PACKAGE_VERSION}` }),
      namespace: options.namespace ?? connection.namespace ?? 'default',
    });
  }

  /** @internal */
  static of(parts: Parts): SparkClient {
    return new SparkClient(parts);
  }

  /** Default namespace. */
  readonly namespace: string;
  private readonly client: KubeClient;
  private readonly dependencies: Dependencies;
  private readonly closing = new AbortController();

  private constructor({ client, namespace, clock = systemClock, random = Math.random }: Parts) {
    this.client = client;
    this.namespace = namespace;
    this.dependencies = { clock, random };
  }

  /**
   * Creates an application from the props of the construct `SparkApplication`, or from a manifest.
   *
   * It creates exactly one application, also after lost answers, and returns it. If the result
   * remains unknown or the call is aborted, it deletes the application, if the API server is
   * reachable. With a `requestId` the application stays and can be found by it.
   *
   * @throws {PropsError} when Spark, the API server or the operator would reject the props
   * @throws {TypeError} when the `requestId` is empty or too long
   * @throws {ApiError} when the name is taken (`isAlreadyExists`), or the API server rejects the
   * application (`isInvalid`, `isForbidden`)
   */
  submit(target: string | Target, props: SparkApplicationProps, options?: SubmitOptions): Promise<SparkApplicationObject>;
  submit(manifest: SparkApplicationManifest, options?: SubmitOptions): Promise<SparkApplicationObject>;
  async submit(
    first: string | Target | SparkApplicationManifest, second?: SparkApplicationProps | SubmitOptions, third?: SubmitOptions,
  ): Promise<SparkApplicationObject> {
    const isManifest = typeof first === 'object' && 'spec' in first;
    const { requestId: given, signal } = (isManifest ? second as SubmitOptions : third) ?? {};
    const requestId = given ?? randomUUID();
    checkRequestId(requestId);
    const completion = { namespace: this.namespace, requestId };
    const object = isManifest
      ? applicationFromManifest(first, completion)
      : await applicationFromProps(first, second as SparkApplicationProps, completion);
    // The API server assigns the uid.
    const created = object as typeof object & SparkApplicationObject;
    return createOnce(this.client, SPARK_APPLICATIONS, created, {
      ...this.dependencies, requestId, isFindable: given !== undefined, signal: this.until(signal),
    });
  }

  /**
   * Returns the current version of an application.
   *
   * @throws {ApiError} `isNotFound`, when it does not exist
   */
  async get(ref: ObjectRef, options: CallSettings = {}): Promise<SparkApplicationObject> {
    const application = await this.persist((signal) => this.client.get(SPARK_APPLICATIONS, this.refOf(ref), { signal }), options);
    const { uid, ...named } = this.refOf(ref);
    if (uid !== undefined && uid !== application.metadata.uid) throw notFound(SPARK_APPLICATIONS, named);
    return application;
  }

  /** Returns all applications, or a selection of them. */
  async list(selection: Selection = {}): Promise<SparkApplicationObject[]> {
    return this.persist(async (signal) => {
      const found: SparkApplicationObject[] = [];
      for await (const application of this.client.list(SPARK_APPLICATIONS, { ...this.selectionOf(selection), signal })) {
        found.push(application);
      }
      return found;
    }, selection);
  }

  /**
   * Yields an application, now and after each change, until it is deleted. Restarts lost watches. A
   * slow reader receives the newest version, and not all of them.
   *
   * @throws {ApiError} `isNotFound`, when it does not exist
   */
  async* watch(ref: ObjectRef, options: CallSettings = {}): AsyncGenerator<SparkApplicationObject, void> {
    let seen: string | undefined;
    for await (const { object, isGone } of this.sights(ref, this.until(options.signal))) {
      const { resourceVersion } = object.metadata;
      // If an application ends and is deleted at once, the end is still yielded.
      if (!isGone || resourceVersion !== seen) yield object;
      seen = resourceVersion;
    }
  }

  /**
   * Yields the events of all applications, or of a selection, without end; otherwise as `watch`.
   */
  async* watchAll(selection: Selection = {}): AsyncGenerator<ApplicationEvent, void> {
    const settings = { ...this.dependencies, signal: this.until(selection.signal) };
    for await (const event of follow(this.client, SPARK_APPLICATIONS, this.selectionOf(selection), settings)) {
      if (event.type !== 'synced') yield { type: event.type, application: event.object };
    }
  }

  /**
   * Waits until an application has ended, or for the condition in `until`. A failure, a timeout and
   * a deletion are results and not errors.
   *
   * Suspended applications and those that wait for their next attempt have not ended.
   *
   * @throws {ApiError} `isNotFound`, when no application has this name; for an application that the
   * client returned before, the result is `deleted`
   */
  wait(ref: ObjectRef, options?: WaitOptions<'ended'>): Promise<Result>;
  wait(ref: ObjectRef, options: WaitOptions): Promise<Result | Reached>;
  async wait(
    ref: ObjectRef, { until = 'ended', timeout, signal: given }: WaitOptions = {},
  ): Promise<Completed | Failed | TimedOut | Deleted | Reached> {
    const { clock } = this.dependencies;
    const signal = this.until(given);
    const [begin, limit] = [clock.monotonic(), timeout?.toMilliseconds()];
    const result = await waitFor((end) => this.sights(ref, end, true), { until, timeout: limit, clock, signal });
    if (result.outcome !== 'failed') return result;
    const left = limit === undefined ? undefined : limit - (clock.monotonic() - begin);
    return withLog(result, await endOfDriverLog(this.client, result.application, clock.now(), signal, left));
  }

  /**
   * Yields the log of an application's driver line by line, as the driver wrote it. Callers must
   * escape control characters before they show it to users.
   *
   * With `follow` it waits for the driver, and continues until the application has ended, over all
   * attempts. After a lost connection it resumes at the same position; the rest of a deleted
   * driver's log is lost. Without `follow` it yields the current log.
   */
  async* logs(ref: ObjectRef, { follow: isFollowed = false, tailLines, signal: given }: LogOptions = {}): AsyncGenerator<string, void> {
    const signal = this.until(given);
    const { client } = this;
    const source: LogSource = {
      application: () => this.get(ref, { signal }),
      pod: (pod) => this.persist((ended) => client.get(PODS, pod, { signal: ended }), { signal }),
      open: (pod, how) => followLog(client, pod, { ...how, timestamps: true, signal }),
    };
    const options = { ...this.dependencies, tailLines, signal };
    yield* isFollowed ? followedLog(source, this.sights(ref, signal), options) : currentLog(source, options);
  }

  /**
   * Cancels an application: deletes it with its objects, or suspends it with `keep`. Its driver has
   * its grace period. An application that does not exist is no error.
   *
   * A `wait` for it resolves to `deleted`, or continues until the application is resumed.
   */
  async cancel(ref: ObjectRef, { keep = false, ...options }: CancelOptions = {}): Promise<void> {
    try {
      if (keep) await this.suspend(ref, options);
      else await this.persist((signal) => actions.remove(this.client, this.refOf(ref), { signal }), options);
    } catch (error) {
      // With a uid, a conflict means that another object has the name now.
      if (!isNotFound(error) && !(this.refOf(ref).uid !== undefined && isConflict(error))) throw error;
    }
  }

  /** Suspends an application: stops the current run, and starts none until it is resumed. */
  async suspend(ref: ObjectRef, options: CallSettings = {}): Promise<SparkApplicationObject> {
    return this.persist((signal) => actions.suspend(this.client, this.refOf(ref), { signal }), options);
  }

  /** Resumes a suspended application, which starts from the beginning. */
  async resume(ref: ObjectRef, options: CallSettings = {}): Promise<SparkApplicationObject> {
    return this.persist((signal) => actions.resume(this.client, this.refOf(ref), { signal }), options);
  }

  /** Runs an application again, in any state. A later `wait` waits for the end of the new run. */
  async rerun(ref: ObjectRef, options: CallSettings = {}): Promise<SparkApplicationObject> {
    const at = new Date(this.dependencies.clock.now());
    return this.persist((signal) => actions.rerun(this.client, this.refOf(ref), at, { signal }), options);
  }

  /**
   * Creates a schedule from the props of the construct `ScheduledSparkApplication`, or from a
   * manifest. An existing schedule of this name is updated (server-side apply).
   *
   * @throws {PropsError} when the API server or the operator would reject the props
   */
  submitSchedule(
    target: string | Target, props: ScheduledSparkApplicationProps, options?: CallSettings,
  ): Promise<ScheduledSparkApplicationObject>;
  submitSchedule(manifest: ScheduledSparkApplicationManifest, options?: CallSettings): Promise<ScheduledSparkApplicationObject>;
  async submitSchedule(
    first: string | Target | ScheduledSparkApplicationManifest, second?: ScheduledSparkApplicationProps | CallSettings,
    third?: CallSettings,
  ): Promise<ScheduledSparkApplicationObject> {
    const isManifest = typeof first === 'object' && 'spec' in first;
    if (!isManifest && typeof first === 'object' && first.name === undefined) {
      throw new TypeError('a schedule needs a name: each call updates the same schedule');
    }
    const completion = { namespace: this.namespace, requestId: '' };
    const body = isManifest
      ? scheduleFromManifest(first, completion)
      : await scheduleFromProps(first, second as ScheduledSparkApplicationProps, completion);
    const patch = { type: 'apply', fieldManager: FIELD_MANAGER, force: true, body } as const;
    return this.persist((signal) => this.client.patch(
      SCHEDULED_SPARK_APPLICATIONS, body.metadata, patch, { signal },
    ), (isManifest ? second as CallSettings : third) ?? {});
  }

  /**
   * Runs a schedule now, also while it is suspended, and waits until the run has started.
   *
   * @returns the run, an application to wait for
   * @throws {RunNotStartedError} when the operator does not start it
   */
  async runNow(ref: ObjectRef, { timeout, signal }: RunNowOptions = {}): Promise<SparkApplicationObject> {
    const milliseconds = timeout?.toMilliseconds() ?? RUN_NOW_TIMEOUT;
    return startRunNow(this.client, this.refOf(ref), { ...this.dependencies, timeout: milliseconds, signal: this.until(signal) });
  }

  /** Closes all connections. Pending calls reject. */
  close(): void {
    this.closing.abort(new Error('the client is closed'));
    this.client.close();
  }

  /** Closes the client at the end of the block that declares it with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  private sights(ref: ObjectRef, signal: AbortSignal, everyVersion = false) {
    return followOne(this.client, SPARK_APPLICATIONS, this.refOf(ref), { ...this.dependencies, signal, everyVersion });
  }

  private persist<T>(call: (signal: AbortSignal) => Promise<T>, { signal: given }: CallSettings): Promise<T> {
    const signal = this.until(given);
    return retry(() => call(signal), this.dependencies, signal);
  }

  /** Returns a signal for the end of the call or of the client. */
  private until(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.closing.signal]) : this.closing.signal;
  }

  private refOf(ref: ObjectRef): actions.ObjectRef {
    if (typeof ref === 'string') return { namespace: this.namespace, name: ref };
    if (!('metadata' in ref)) return { namespace: ref.namespace ?? this.namespace, name: ref.name };
    const { namespace, name, uid } = ref.metadata;
    return { namespace, name, uid };
  }

  private selectionOf(
    { namespace = this.namespace, allNamespaces = false, labelSelector }: Selection,
  ): { readonly namespace?: string; readonly labelSelector?: string } {
    return { namespace: allNamespaces ? undefined : namespace, labelSelector };
  }
}
