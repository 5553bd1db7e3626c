import { viewOf, type PodView } from '../../../../../src/model/pod-view';
import type { KubeClient } from '../../../../../src/kube/client';
import { ApiError, NetworkError } from '../../../../../src/kube/errors';
import { silentLogger } from '../../../../../src/kube/logger';
import type { KubeObject, Ref } from '../../../../../src/kube/objects';
import type { Resource } from '../../../../../src/kube/resource';
import { Store } from '../../../../../src/kube/store';
import type { Settings } from '../../../../../src/operator/kinds/spark-application/decision';
import { isBeginning, isUnconfirmed, stateOf, type SparkApplication, type WholeApplication } from '../../../../../src/model/spark-application';
import { transform } from '../../../../../src/operator/kinds/spark-application/transform';
import { applicationKeyOf, BY_APPLICATION } from '../../../../../src/operator/kinds/spark-application/observe';
import { SparkApplicationReconciler } from '../../../../../src/operator/kinds/spark-application/reconciler';
import { LABEL_LAUNCHED_BY } from '../../../../../src/api/labels';
import type { ApiServer, Change, Preconditions, Stored } from './api-server';
import { refusal } from './api-server';
import type { ModelClock } from './model-clock';

/** Faults of a call. */
export const FAULTS = [
  'lost before', 'lost after', 'late', 'error before', 'error after', 'conflict', 'busy', 'forbidden', 'over quota', 'invalid',
] as const;
export type Fault = typeof FAULTS[number];

/** Unanswered call of a process. */
interface Call {
  readonly verb: string;
  readonly resource: Resource;
  readonly ref: Partial<Ref>;
  readonly act: (by: string) => unknown;
  readonly resolve: (value: any) => void;
  readonly reject: (error: Error) => void;
}

/** Dependencies of a process. */
export interface Surroundings {
  readonly server: ApiServer;
  readonly clock: ModelClock;
  readonly settings: Settings;
  readonly newId: () => string;
  /** Calls that reach the server after their process gave them up. */
  readonly late: (() => void)[];
  readonly onTransition: (before: SparkApplication, passed: readonly string[]) => void;
}

/** Watched kinds. */
export type Watched = 'sparkapplications' | 'pods';

export const KEY = 'jobs/pi';
/** Name of the client of late calls. */
export const LATE = 'late call';
/** More reconciles without a call than any situation needs. */
const MANY_PASSES = 50;
const READING = ['get', 'list'];

/**
 * Process of the operator: the real reconciler and stores, with a queue of one key. Each of its
 * calls stops until `answer` lets it happen, so that others can act in between. Its watches lag
 * behind by the set amounts.
 */
export class OperatorProcess {
  /** Whether calls that write are allowed. */
  leads = true;
  /** Maximum number of changes that the watches have not reported yet. */
  readonly lag: Record<Watched, number> = { sparkapplications: 0, pods: 0 };
  private readonly calls: Call[] = [];
  private readonly unread: Record<Watched, Change[]> = { sparkapplications: [], pods: [] };
  private readonly applications = new Store<SparkApplication>();
  private readonly pods = new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf } });
  private readonly reconciler: SparkApplicationReconciler;
  private read = 0;
  private isDirty = true;
  private isUnderWay = false;
  private dueAt?: number;
  private failures = 0;
  /** States that metrics have counted of each write. */
  private readonly reported = new Map<Change, Set<string>>();

  /** Number of reconciles so far. */
  passes = 0;
  /** The uid of the application that it reconciles, or reconciled last. */
  actsFor?: string;
  /** Error that no API server causes. */
  mistake?: Error;

  /**
   * @param behind number of changes that its caches do not show yet, as in a process that was on
   * standby
   */
  constructor(readonly name: string, private readonly around: Surroundings, behind: Partial<Record<Watched, number>> = {}) {
    const { clock, settings, newId, onTransition } = around;
    Object.assign(this.lag, behind);
    this.watch();
    this.applications.subscribe(() => { this.isDirty = true; });
    this.pods.subscribe(({ object }) => { if (applicationKeyOf(object) === KEY) this.isDirty = true; });
    this.reconciler = new SparkApplicationReconciler({
      client: this.client() as unknown as KubeClient,
      applications: this.applications,
      pods: this.pods,
      events: { record: () => undefined },
      settings,
      writer: 'this-operator',
      submission: { mode: 'auto', sparkUser: 'spark' },
      clock,
      newId,
      onTransition: (before, _, passed) => {
        this.seeTelling(before, passed);
        onTransition(before, passed);
      },
    });
  }

  /** Returns the application as this process knows it. */
  get application(): SparkApplication | undefined {
    return this.applications.get(KEY);
  }

  /** Returns the calls that wait for their answer, such as `create pods`. */
  get waiting(): readonly string[] {
    return this.calls.map(({ verb, resource }) => `${verb} ${resource.plural}`);
  }

  /**
   * Returns the milliseconds until this process reconciles the application by itself; undefined if
   * it will not.
   */
  get dueIn(): number | undefined {
    if (this.isUnderWay || this.isDirty) return 0;
    return this.dueAt === undefined ? undefined : Math.max(this.dueAt - this.around.clock.monotonic(), 0);
  }

  /** Lets the watches, or one of them, report the changes that are due. */
  watch(which: readonly Watched[] = ['sparkapplications', 'pods']): void {
    for (; this.read < this.around.server.log.length; this.read++) {
      const change = this.around.server.log[this.read]!;
      if (change.plural === 'sparkapplications') this.unread.sparkapplications.push(change);
      if (change.plural === 'pods' && isWatched(change.object)) this.unread.pods.push(change);
    }
    while (which.includes('sparkapplications') && this.unread.sparkapplications.length > this.lag.sparkapplications) {
      const { type, object } = this.unread.sparkapplications.shift()!;
      this.applications.apply(type, transform(object as unknown as WholeApplication));
    }
    while (which.includes('pods') && this.unread.pods.length > this.lag.pods) {
      const { type, object } = this.unread.pods.shift()!;
      this.pods.apply(type, viewOf(object as KubeObject));
    }
  }

  /**
   * Continues until a call waits for its answer, or nothing is due.
   *
   * @returns whether a call waits
   */
  async goOn(): Promise<boolean> {
    const before = this.passes;
    while (this.calls.length === 0) {
      if (!this.isUnderWay) {
        if (this.dueIn !== 0) return false;
        if (this.passes - before > MANY_PASSES) throw new Error(`${this.name} does not stop reconciling an unchanged application`);
        void this.pass();
      }
      await promisesToGoOn();
    }
    return true;
  }

  /** Lets one of the waiting calls happen. */
  async answer(which: number, fault?: Fault): Promise<void> {
    const [call] = this.calls.splice(which % this.calls.length, 1);
    const { act, resolve, reject, verb, resource, ref } = call!;
    const writes = !READING.includes(verb);
    try {
      if (writes && !this.leads) throw new Error('this process does not lead');
      const actual = fault && possible(fault, verb);
      if (actual === 'late' && writes) this.around.late.push(() => void act(LATE));
      const error = errorOf(actual, verb, resource, ref);
      if (error && !actual!.endsWith('after')) throw error;
      const result = act(this.name);
      if (error) throw error;
      resolve(result);
    } catch (error) {
      reject(error as Error);
    }
    await promisesToGoOn();
  }

  /** Ends the process. Its first waiting call happens or not, without an answer. */
  die(happens: boolean): void {
    const [call] = this.calls.splice(0);
    if (!happens || !call) return;
    try {
      call.act(this.name);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /**
   * Checks that metrics count each write at most once, and no write that did not happen. It throws
   * for a mistake of the operator.
   */
  private seeTelling({ metadata: { uid, resourceVersion } }: SparkApplication, passed: readonly string[]): void {
    const to = passed.at(-1);
    if (to === undefined) return;
    // The status is SUBMITTED ahead of the driver, and counted as such after it.
    const isWritten = (object: Stored) => stateOf(object) === to || (isUnconfirmed(object) && isBeginning({ status: { applicationState: { state: to } } as never }));
    // Another process may have written the same, even through other states that this process had
    // not seen.
    const written = this.around.server.log.filter(({ plural, object, before }) => (
      plural === 'sparkapplications' && object.metadata.uid === uid && Number(before?.metadata.resourceVersion) >= Number(resourceVersion)
      && isWritten(object) && (before!.metadata.resourceVersion === resourceVersion || stateOf(before!) !== to)
    ));
    const change = written.find((each) => !this.reported.get(each)?.has(to));
    if (!change) throw new Error(`metrics count ${written.length > 0 ? 'one write twice' : 'a write that did not happen'}: ${to}`);
    this.reported.set(change, new Set([...this.reported.get(change) ?? [], to]));
  }

  private async pass(): Promise<void> {
    this.passes++;
    this.isUnderWay = true;
    this.actsFor = this.application?.metadata.uid;
    this.isDirty = false;
    this.dueAt = undefined;
    try {
      const result = await this.reconciler.reconcile(KEY, { logger: silentLogger });
      this.failures = 0;
      if (result?.requeueAfter !== undefined) this.dueAt = this.around.clock.monotonic() + result.requeueAfter;
    } catch (error) {
      if (!isExpected(error) && this.leads) this.mistake = error as Error;
      this.dueAt = this.around.clock.monotonic() + Math.min(100 * 2 ** this.failures++, 30_000);
    }
    this.isUnderWay = false;
  }

  private client() {
    const { server } = this.around;
    const call = (verb: string, resource: Resource, ref: Partial<Ref>, act: Call['act']) => (
      new Promise<any>((resolve, reject) => { this.calls.push({ verb, resource, ref, act, resolve, reject }); })
    );
    return {
      get: (resource: Resource, ref: Ref) => call('get', resource, ref, () => server.get(resource, ref)),
      create: (resource: Resource, object: KubeObject) => (
        call('create', resource, object.metadata, (by) => server.create(by, resource, object))
      ),
      updateStatus: (resource: Resource, object: KubeObject) => (
        call('update', resource, object.metadata, (by) => server.updateStatus(by, resource, object))
      ),
      delete: (resource: Resource, ref: Ref, { preconditions }: { preconditions?: Preconditions } = {}) => (
        call('delete', resource, ref, (by) => server.delete(by, resource, ref, preconditions))
      ),
      async *list(resource: Resource, selection: { namespace?: string; labelSelector?: string }) {
        yield* await call('list', resource, selection, () => server.list(resource, selection));
      },
    };
  }
}

/**
 * Limits faults to calls that can have them: only creations are rejected for their object, and only
 * writes conflict.
 */
function possible(fault: Fault, verb: string): Fault {
  const isPossible = fault === 'invalid' ? verb === 'create' : fault !== 'conflict' || verb === 'create' || verb === 'update';
  return isPossible ? fault : 'error before';
}

function errorOf(fault: Fault | undefined, verb: string, resource: Resource, ref: Partial<Ref>): Error | undefined {
  switch (fault) {
    case undefined: return undefined;
    case 'lost before': case 'lost after': case 'late': return new NetworkError(
      { verb, resource: resource.plural, ...ref }, 'TIMEOUT', 'no answer',
    );
    case 'error before': case 'error after': return refusal(verb, resource, ref, 500);
    case 'conflict': return refusal(verb, resource, ref, 409);
    case 'busy': return refusal(verb, resource, ref, 429);
    case 'forbidden': return refusal(verb, resource, ref, 403);
    case 'over quota': return refusal(verb, resource, ref, 403, undefined, 'exceeded quota: compute');
    case 'invalid': return refusal(verb, resource, ref, 422);
  }
}

function isExpected(error: unknown): boolean {
  return error instanceof ApiError || error instanceof NetworkError;
}

function isWatched({ metadata }: KubeObject | { readonly metadata: KubeObject['metadata'] }): boolean {
  return metadata.labels?.[LABEL_LAUNCHED_BY] === 'true';
}

/** Lets all promises continue that can. */
function promisesToGoOn(): Promise<void> {
  return new Promise((resolve) => { setImmediate(resolve); });
}

