import { randomUUID } from 'node:crypto';
import type { ScheduledSparkApplicationProps } from '../props/scheduled-spark-application-props';
import type { SparkApplicationProps } from '../props/spark-application-props';
import type { KubeClient } from '../kube/client';
import { systemClock } from '../kube/clock';
import { isConflict, isNotFound } from '../kube/errors';
import { followLog } from '../kube/logs';
import { PODS, SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../model/resources';
import * as actions from '../model/actions/actions';
import { createOnce } from './create-once';
import { currentLog, followedLog, type LogSource } from './driver-log';
import { follow, followOne, notFound } from '../model/actions/follow';
import { applicationFromManifest, applicationFromProps, scheduleFromManifest, scheduleFromProps } from './manifest';
import { persist, type Dependencies } from '../model/actions/persist';
import type { Completed, Deleted, Failed, Reached, Result, TimedOut } from './result';
import { startRunNow } from '../model/actions/run-now';
import type {
  ApplicationEvent, CallSettings, CancelOptions, ConnectOptions, LogOptions, ObjectRef, RunNowOptions, ScheduledSparkApplicationManifest, ScheduledSparkApplicationObject,
  Selection, SparkApplicationManifest, SparkApplicationObject, SubmitOptions, Target, WaitOptions,
} from './types';
import { waitFor } from './wait';

/** The package's version, put in by the bundler. */
declare const PACKAGE_VERSION: string;

/** What the fields of a schedule that the client has written are kept under. */
const FIELD_MANAGER = 'cdk8s-spark-operator-client';

/** How long it is waited for a run that was asked for, in milliseconds. */
const RUN_NOW_TIMEOUT = 60_000;

/** The parts of a client that a test has in its hands. */
interface Parts extends Partial<Dependencies> {
  readonly client: KubeClient;
  readonly namespace: string;
}

/**
 * Runs Spark applications from a program, such as a step of a pipeline. It works with the rights of the kubeconfig's user, or of the pod's service account.
 *
 * Calls that can be repeated without harm are, for about half a minute, while the API server does not answer. All methods reject with an `ApiError` for what the API server refuses,
 * with a `NetworkError` when it gives no answer, and with the signal's reason when they are aborted.
 *
 * A client keeps connections: close it, or declare it with `await using`.
 */
export class SparkClient {
  /**
   * Makes a client. Nothing is sent yet.
   *
   * @throws {ConfigurationError} when the kubeconfig is missing or wrong
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

  /** The namespace that is meant when none is named. */
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
   * However often answers get lost, there is one application in the end, and it is returned. If it is not known in the end whether there is one, or the call is aborted, the
   * application is removed again, if the API server can be reached; with a `requestId` it stays, to be found by it.
   *
   * @throws {PropsError} when Spark, the API server or the operator would refuse the props
   * @throws {ApiError} when the name is taken (`isAlreadyExists`), or the API server refuses the application (`isInvalid`, `isForbidden`)
   */
  submit(target: string | Target, props: SparkApplicationProps, options?: SubmitOptions): Promise<SparkApplicationObject>;
  submit(manifest: SparkApplicationManifest, options?: SubmitOptions): Promise<SparkApplicationObject>;
  async submit(first: string | Target | SparkApplicationManifest, second?: SparkApplicationProps | SubmitOptions, third?: SubmitOptions): Promise<SparkApplicationObject> {
    const isManifest = typeof first === 'object' && 'spec' in first;
    const { requestId: given, signal } = (isManifest ? second as SubmitOptions : third) ?? {};
    const requestId = given ?? randomUUID();
    const completion = { namespace: this.namespace, requestId };
    const object = isManifest ? applicationFromManifest(first, completion) : await applicationFromProps(first, second as SparkApplicationProps, completion);
    // The API server gives it its uid.
    const created = object as typeof object & SparkApplicationObject;
    return createOnce(this.client, SPARK_APPLICATIONS, created, { ...this.dependencies, requestId, isFindable: given !== undefined, signal: this.until(signal) });
  }

  /** An application as it is now. @throws {ApiError} `isNotFound`, when there is none */
  async get(ref: ObjectRef, options: CallSettings = {}): Promise<SparkApplicationObject> {
    const application = await this.persist((signal) => this.client.get(SPARK_APPLICATIONS, this.refOf(ref), { signal }), options);
    const { uid, ...named } = this.refOf(ref);
    if (uid !== undefined && uid !== application.metadata.uid) throw notFound(SPARK_APPLICATIONS, named);
    return application;
  }

  /** All applications, or a selection of them, as they are now. */
  async list(selection: Selection = {}): Promise<SparkApplicationObject[]> {
    return this.persist(async (signal) => {
      const found: SparkApplicationObject[] = [];
      for await (const application of this.client.list(SPARK_APPLICATIONS, { ...this.selectionOf(selection), signal })) found.push(application);
      return found;
    }, selection);
  }

  /**
   * An application, now and after each change, until it is deleted. Lost connections are taken up again. Who is slow sees the newest state, not all before it.
   *
   * @throws {ApiError} `isNotFound`, when there is none
   */
  async* watch(ref: ObjectRef, options: CallSettings = {}): AsyncGenerator<SparkApplicationObject, void> {
    let seen: string | undefined;
    for await (const { object, isGone } of this.sights(ref, this.until(options.signal))) {
      const { resourceVersion } = object.metadata;
      // Of one that ended and was deleted at once, the end is told.
      if (!isGone || resourceVersion !== seen) yield object;
      seen = resourceVersion;
    }
  }

  /** All applications, or a selection of them, and what happens to them; without end, and otherwise as `watch`. */
  async* watchAll(selection: Selection = {}): AsyncGenerator<ApplicationEvent, void> {
    const settings = { ...this.dependencies, signal: this.until(selection.signal) };
    for await (const event of follow(this.client, SPARK_APPLICATIONS, this.selectionOf(selection), settings)) {
      if (event.type !== 'synced') yield { type: event.type, application: event.object };
    }
  }

  /**
   * Waits until an application has ended, or for what `until` says. That it fails, takes too long or is deleted is a result, no error.
   *
   * A suspended application has not ended, nor has one that waits for its next attempt.
   *
   * @throws {ApiError} `isNotFound`, when there is none of this name; one that the client has given is `deleted` then
   */
  wait(ref: ObjectRef, options?: WaitOptions<'ended'>): Promise<Result>;
  wait(ref: ObjectRef, options: WaitOptions): Promise<Result | Reached>;
  wait(ref: ObjectRef, { until = 'ended', timeout, signal }: WaitOptions = {}): Promise<Completed | Failed | TimedOut | Deleted | Reached> {
    const { clock } = this.dependencies;
    return waitFor((end) => this.sights(ref, end, true), { until, timeout: timeout?.toMilliseconds(), clock, signal: this.until(signal) });
  }

  /**
   * The log of an application's driver, line by line, as the driver wrote it: whoever shows it to people takes care of control characters.
   *
   * With `follow` it is waited for the driver, and gone on until the application has ended, from one attempt to the next. After a lost connection it goes on where it was; of a driver
   * that is deleted the rest is lost. Without, it is what there is now.
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
   * Ends an application: deletes it with all that belongs to it, or with `keep` suspends it. Its driver has its time of grace. One that is gone already is fine.
   *
   * Whoever waits for it gets `deleted`, or waits on until it is resumed.
   */
  async cancel(ref: ObjectRef, { keep = false, ...options }: CancelOptions = {}): Promise<void> {
    try {
      if (keep) await this.suspend(ref, options);
      else await this.persist((signal) => actions.remove(this.client, this.refOf(ref), { signal }), options);
    } catch (error) {
      // With a uid a conflict says that another one has the name by now.
      if (!isNotFound(error) && !(this.refOf(ref).uid !== undefined && isConflict(error))) throw error;
    }
  }

  /** Ends what runs of an application, until it is resumed. */
  async suspend(ref: ObjectRef, options: CallSettings = {}): Promise<SparkApplicationObject> {
    return this.persist((signal) => actions.suspend(this.client, this.refOf(ref), { signal }), options);
  }

  /** Runs a suspended application from its beginning. */
  async resume(ref: ObjectRef, options: CallSettings = {}): Promise<SparkApplicationObject> {
    return this.persist((signal) => actions.resume(this.client, this.refOf(ref), { signal }), options);
  }

  /** Runs an application again, whatever state it is in. A `wait` that begins afterwards waits for the end of the new run. */
  async rerun(ref: ObjectRef, options: CallSettings = {}): Promise<SparkApplicationObject> {
    const at = new Date(this.dependencies.clock.now());
    return this.persist((signal) => actions.rerun(this.client, this.refOf(ref), at, { signal }), options);
  }

  /**
   * Creates a schedule from the props of the construct `ScheduledSparkApplication`, or from a manifest; one of this name that is there becomes as it is written here (server-side apply).
   *
   * @throws {PropsError} when the API server or the operator would refuse the props
   */
  submitSchedule(target: string | Target, props: ScheduledSparkApplicationProps, options?: CallSettings): Promise<ScheduledSparkApplicationObject>;
  submitSchedule(manifest: ScheduledSparkApplicationManifest, options?: CallSettings): Promise<ScheduledSparkApplicationObject>;
  async submitSchedule(
    first: string | Target | ScheduledSparkApplicationManifest, second?: ScheduledSparkApplicationProps | CallSettings, third?: CallSettings,
  ): Promise<ScheduledSparkApplicationObject> {
    const isManifest = typeof first === 'object' && 'spec' in first;
    if (!isManifest && typeof first === 'object' && first.name === undefined) throw new TypeError('a schedule needs a name: it is the same schedule each time');
    const completion = { namespace: this.namespace, requestId: '' };
    const body = isManifest ? scheduleFromManifest(first, completion) : await scheduleFromProps(first, second as ScheduledSparkApplicationProps, completion);
    const patch = { type: 'apply', fieldManager: FIELD_MANAGER, force: true, body } as const;
    return this.persist((signal) => this.client.patch(SCHEDULED_SPARK_APPLICATIONS, body.metadata, patch, { signal }), (isManifest ? second as CallSettings : third) ?? {});
  }

  /**
   * Runs a schedule now, also while it is suspended, and waits until the run has begun.
   *
   * @returns the run, an application to wait for
   * @throws {RunNotStartedError} when the operator does not begin it
   */
  async runNow(ref: ObjectRef, { timeout, signal }: RunNowOptions = {}): Promise<SparkApplicationObject> {
    const milliseconds = timeout?.toMilliseconds() ?? RUN_NOW_TIMEOUT;
    return startRunNow(this.client, this.refOf(ref), { ...this.dependencies, timeout: milliseconds, signal: this.until(signal) });
  }

  /** Closes all connections. Calls under way reject. */
  close(): void {
    this.closing.abort(new Error('the client is closed'));
    this.client.close();
  }

  /** Closes it at the end of the block that declares it with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  private sights(ref: ObjectRef, signal: AbortSignal, isEachTold = false) {
    return followOne(this.client, SPARK_APPLICATIONS, this.refOf(ref), { ...this.dependencies, signal, isEachTold });
  }

  private persist<T>(call: (signal: AbortSignal) => Promise<T>, { signal: given }: CallSettings): Promise<T> {
    const signal = this.until(given);
    return persist(() => call(signal), this.dependencies, signal);
  }

  /** A signal for the end of the call or of the client. */
  private until(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.closing.signal]) : this.closing.signal;
  }

  private refOf(ref: ObjectRef): actions.ObjectRef {
    if (typeof ref === 'string') return { namespace: this.namespace, name: ref };
    if (!('metadata' in ref)) return { namespace: ref.namespace ?? this.namespace, name: ref.name };
    const { namespace, name, uid } = ref.metadata;
    return { namespace, name, uid };
  }

  private selectionOf({ namespace = this.namespace, allNamespaces = false, labelSelector }: Selection): { readonly namespace?: string; readonly labelSelector?: string } {
    return { namespace: allNamespaces ? undefined : namespace, labelSelector };
  }
}
