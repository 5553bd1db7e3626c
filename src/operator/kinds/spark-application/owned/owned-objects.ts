import { LABEL_APP_UID, LABEL_CREATED_BY } from '../../../../api/labels';
import { ApplicationState } from '../../../../api/states';
import { withLayersOnce } from '../../../../plan/defaults/apply';
import type { CurrentDefaults } from '../../../../plan/defaults/layer';
import type { KubeClient } from '../../../../kube/client';
import type { Clock } from '../../../../kube/clock';
import { isForbidden, isNotFound } from '../../../../kube/errors';
import type { Resource } from '../../../../kube/resource';
import { noteOf } from '../../../note';
import { warning, type UserEvent } from '../../../user-event';
import { converge, type ConvergeClient, type Failures } from '../../../owned/converge';
import { Inventory, MAX_OF_KIND } from '../../../owned/inventory';
import { keyOfObject, kindOf, knownOf, type KnownObjects } from '../../../owned/known';
import { Memories } from '../../../owned/memories';
import { ownerOfObject, type Problem } from '../../../owned/problem';
import { OWNED_RESOURCES } from '../../../owned/resources';
import { hasRoutes, type OwnedSettings } from '../../../owned/settings';
import { CONFIG_MAPS, HTTP_ROUTES, INGRESSES, POD_DISRUPTION_BUDGETS, SERVICES } from '../../../../model/resources';
import { groupOf, schedulerResources } from '../../../../plan/schedulers/registry';
import { withDefaultScheduler } from '../../../../plan/schedulers/schedule';
import type { SpecFacts } from '../../../../model/spec-facts';
import { isBeginning, isBegun, stateOf, type SparkApplication } from '../../../../model/spark-application';
import { specOfAttempt } from './attempt-spec';
import { hasDriver, isWithDriver, wantedOf, type Wanted } from './wanted';
import { webUIInfo, webUIInfoIn, type WebUIInfo } from './web-ui-info';

/** Dependencies of OwnedObjects. */
export interface OwnedObjectsOptions {
  /** Makes every change. It must refuse changes when this process does not lead. */
  readonly client: ConvergeClient & Pick<KubeClient, 'list'>;
  readonly settings: OwnedSettings;
  readonly clock: Clock;
}

/** Facts of one reconcile, other than the application. */
export interface OwnedPass {
  /** Whether this reconcile submitted the application's driver. @default false */
  readonly submitted?: boolean;
  /** Defaults and limits of the cluster. @default - none */
  readonly defaults?: CurrentDefaults;
  readonly signal?: AbortSignal;
}

/** Outcome of a reconcile of owned objects. */
export interface OwnedOutcome {
  /**
   * The web UI's fields for the status: empty without a web UI, unchanged if the operator cannot
   * list them.
   */
  readonly webUI: WebUIInfo;
  /** Events for users, each recorded once. */
  readonly events: readonly UserEvent[];
  /** Milliseconds until a retry is useful; absent if the objects are as wanted. */
  readonly retryAfter?: number;
}

/** Milliseconds until the operator notices changes by other clients at the latest. */
const VERIFY_AFTER = 5 * 60_000;
/** Milliseconds until the operator retries a failed list of a namespace. */
const LIST_RETRY = 10_000;
/** Milliseconds until the operator repeats a truncated list after the driver's end. */
const REST_AFTER = 60_000;

/** Memory of an application that has, or had, a driver. */
interface Memory {
  readonly uid: string;
  /**
   * Failures. Absent without failures, as a map for each of thousands of applications costs memory.
   */
  failures?: Failures;
  /** Keys of recorded events; absent without events. */
  reported?: Set<string>;
  /** The id of a submission that began under defaults which the operator has not seen yet. */
  unseen?: string;
  /**
   * The inventory's moment when this process submitted a driver, and the kinds of objects that it
   * created for it. Absent once the operator has listed these objects.
   */
  createdWithDriver?: { readonly since: number; readonly resources: readonly Resource[] };
  /**
   * The PodGroup of a driver that another process submitted. The PodGroup of
   * kubeflow/spark-operator has no labels that a list could select.
   */
  groupOfOther?: { readonly resource: Resource; readonly name: string };
}

/**
 * Objects of applications other than their pods: Services, Ingresses or HTTPRoutes for web UIs and
 * other ports, and PodDisruptionBudgets. The operator creates the latter after it submits a driver,
 * and the others once the driver runs. It repairs them while the driver lives, and deletes them
 * afterwards. It then also deletes the ConfigMap for the driver's metrics.
 *
 * The operator remembers what it created. It lists each namespace once, and then every few minutes
 * while an application runs there. Each object that it creates, changes or deletes costs one call;
 * nothing else costs a call.
 */
export class OwnedObjects {
  private readonly inventory: Inventory;
  /** The kinds of PodGroups that a driver's batch scheduler needs. */
  private readonly groups: readonly Resource[];
  private readonly memories: Memories<Memory>;

  constructor(private readonly options: OwnedObjectsOptions) {
    const { client, clock, settings } = options;
    const hasGateways = Boolean(settings.ingress.gateways?.length);
    const created = [
      ...hasRoutes(settings) ? [hasGateways ? HTTP_ROUTES : INGRESSES] : [],
      ...settings.driverPodDisruptionBudget ? [POD_DISRUPTION_BUDGETS] : [],
    ];
    const orphans = settings.removeOrphans === false ? [] : [INGRESSES, HTTP_ROUTES, POD_DISRUPTION_BUDGETS];
    const otherOrphans = orphans.filter((resource) => !created.includes(resource));
    this.groups = schedulerResources(settings.batchSchedulers);
    this.inventory = new Inventory(client, clock, [SERVICES, CONFIG_MAPS, ...this.groups, ...created], otherOrphans);
    this.memories = new Memories(this.inventory, (uid) => ({ uid }));
  }

  /** Returns the number of remembered applications. */
  get size(): number {
    return this.memories.size;
  }

  /**
   * Creates, updates and deletes an application's objects for its state. The reconciler calls it in
   * each reconcile, after it has written the status.
   *
   * @throws the signal's reason when the signal is aborted, and nothing else, because no failure
   * here keeps an application from running
   */
  async converge(application: SparkApplication, { submitted = false, defaults, signal }: OwnedPass = {}): Promise<OwnedOutcome> {
    const state = stateOf(application);
    const unchanged = { webUI: webUIInfoIn(application.status?.driverInfo ?? {}), events: [] };
    // No driver exists yet, or a submission is under way: the driver might need the existing
    // objects.
    if (state === ApplicationState.NEW || (isBeginning(application) && isBegun(application))) return unchanged;
    const { client, clock, settings } = this.options;
    const { namespace, uid } = application.metadata;
    const memory = this.memories.of(application.metadata);
    const spec = submitted || hasDriver(state) ? this.specOf(application, memory, { submitted, defaults }) : undefined;
    if (submitted) memory.createdWithDriver = this.createdWithDriver(spec);
    const isOurs = submitted || memory.createdWithDriver !== undefined;
    if (spec) {
      memory.groupOfOther = isOurs ? undefined : groupOf(application.metadata.name, this.schedulerOf(spec), settings.batchSchedulers);
    }
    // Other defaults replaced those of the attempt. Its existing objects stay as they are. If its
    // driver started only afterwards, it gets objects by the current ones.
    const mightBeNew = spec === undefined && hasDriver(state);
    if (mightBeNew && (defaults?.kind !== 'ready' || unchanged.webUI.webUIServiceName !== undefined)) return unchanged;
    try {
      await this.inventory.load(namespace, this.maxAge(application), signal);
    } catch {
      signal?.throwIfAborted();
      return { ...unchanged, retryAfter: LIST_RETRY };
    }
    const known = this.inventory.of(namespace, uid);
    if (mightBeNew && known.list().some((object) => object.kind in OWNED_RESOURCES)) return unchanged;
    const current = mightBeNew && defaults?.kind === 'ready' ? withLayersOnce(application.spec, defaults.layers).spec : undefined;
    // The clean-up after the driver's end needs no specification.
    const wanted = wantedOf({ ...application, spec: spec ?? current ?? application.spec }, settings);
    const isFound = isWithDriver(state) || await this.findCreated(application, memory, known, signal);
    const keys = new Set(wanted.objects.map(({ kind, metadata: { name } }) => keyOfObject({ kind, name })));
    const withDriver = new Set([CONFIG_MAPS, ...this.groups].map(kindOf));
    const unwanted = known.list().filter((object) => (
      !keys.has(keyOfObject(object)) && !(withDriver.has(object.kind) && isWithDriver(state))
    ));
    const now = clock.now();
    const failures: Failures = memory.failures ?? new Map();
    const problems = await converge(client, application, { wanted: wanted.objects, unwanted }, known, { failures, now, signal });
    memory.failures = unlessEmpty(failures);
    // Finished applications cost no memory, however many there are.
    const isDue = isWithDriver(state) && (memory.createdWithDriver ?? memory.groupOfOther) !== undefined;
    if (!hasDriver(state) && problems.length === 0 && isFound && !isDue) this.memories.delete(application.metadata);
    const isCut = !hasDriver(state) && this.inventory.isCut(namespace, uid);
    const retryAt = Math.min(
      ...problems.map(({ notBefore }) => notBefore), isFound ? Infinity : now + LIST_RETRY, isCut ? now + REST_AFTER : Infinity,
    );
    return {
      webUI: webUIInfo(wanted.webUI, known, unchanged.webUI),
      events: this.eventsOf(application, memory, wanted, problems),
      ...retryAt < Infinity && { retryAfter: retryAt - now },
    };
  }

  /** Returns the maximum age of the namespace's list, in milliseconds. */
  private maxAge(application: SparkApplication): number {
    if (hasDriver(stateOf(application))) return VERIFY_AFTER;
    return this.inventory.isCut(application.metadata.namespace, application.metadata.uid) ? REST_AFTER : Infinity;
  }

  /**
   * Forgets an application that is gone. Kubernetes deletes the objects that it owned. `key` is
   * `namespace/name`.
   */
  forget(key: string): void {
    this.memories.forget(key);
  }

  /** Returns the specification that the attempt began with; undefined if it cannot be restored. */
  private specOf(
    application: SparkApplication, memory: Memory, { submitted, defaults }: Pick<OwnedPass, 'submitted' | 'defaults'>,
  ): SpecFacts | undefined {
    const submissionID = application.status?.submissionID;
    if (submitted) memory.unseen = submissionID;
    const spec = specOfAttempt(application, defaults, submissionID !== undefined && memory.unseen === submissionID);
    if (spec) memory.unseen = undefined;
    return spec;
  }

  /**
   * Returns the kinds of objects that the submission might have created: the ConfigMap of its
   * metrics, and its PodGroup.
   */
  private createdWithDriver(spec: SpecFacts | undefined): Memory['createdWithDriver'] {
    const isScheduled = !spec || Boolean(this.schedulerOf(spec));
    const resources = [...!spec || spec.monitoring?.prometheus ? [CONFIG_MAPS] : [], ...isScheduled ? this.groups : []];
    return resources.length > 0 ? { since: this.inventory.moment(), resources } : undefined;
  }

  private schedulerOf(spec: SpecFacts): string | undefined {
    return withDefaultScheduler(spec, this.options.settings.batchSchedulers).batchScheduler || undefined;
  }

  /**
   * Looks for objects that this process created with a driver that has ended. Objects of an earlier
   * process are known already, because they existed before the first list.
   *
   * @returns whether the objects are known now
   */
  private async findCreated(application: SparkApplication, memory: Memory, known: KnownObjects, signal?: AbortSignal): Promise<boolean> {
    const { metadata } = application;
    if (!await this.findGroupOfOther(application, memory, known, signal)) return false;
    const created = memory.createdWithDriver;
    if (!created || this.inventory.isReadAfter(metadata.namespace, created.since)) return true;
    const labelSelector = `${LABEL_CREATED_BY}=true,${LABEL_APP_UID}=${metadata.uid}`;
    for (const resource of created.resources) {
      try {
        let count = 0;
        for await (const object of this.options.client.list(resource, { namespace: metadata.namespace, labelSelector, signal })) {
          known.set(knownOf(kindOf(resource), object, {}));
          if (++count === MAX_OF_KIND) break;
        }
      } catch (error) {
        signal?.throwIfAborted();
        // Without the permission, the object is deleted with the application. A kind that the API
        // server does not serve has no objects.
        if (!isForbidden(error) && !isNotFound(error)) return false;
      }
    }
    memory.createdWithDriver = undefined;
    return true;
  }

  /**
   * Looks by name for the PodGroup that another operator created for the application.
   *
   * @returns whether the PodGroup is known now
   */
  private async findGroupOfOther(
    application: SparkApplication, memory: Memory, known: KnownObjects, signal?: AbortSignal,
  ): Promise<boolean> {
    const group = memory.groupOfOther;
    if (!group || known.get(keyOfObject({ kind: kindOf(group.resource), name: group.name }))) return true;
    try {
      const object = await this.options.client.get(
        group.resource, { namespace: application.metadata.namespace, name: group.name }, { signal },
      );
      if (ownerOfObject(object, application) === 'ours') known.set(knownOf(kindOf(group.resource), object, {}));
    } catch (error) {
      signal?.throwIfAborted();
      if (!isForbidden(error) && !isNotFound(error)) return false;
    }
    memory.groupOfOther = undefined;
    return true;
  }

  /**
   * Returns the events that are new to users. A problem that is solved is reported again when it
   * comes back.
   */
  private eventsOf({ metadata }: SparkApplication, memory: Memory, wanted: Wanted, problems: readonly Problem[]): UserEvent[] {
    const reported = memory.reported ?? new Set<string>();
    const idOf = ({ key }: Problem) => `problem ${key}`;
    for (const id of reported) if (id.startsWith('problem ') && !problems.some((problem) => idOf(problem) === id)) reported.delete(id);
    const isNew = (id: string) => !reported.has(id) && reported.add(id);
    const failed = problems.filter((problem) => problem.sentence && isNew(idOf(problem))).map(({ sentence }) => sentence!);
    const idle = wanted.withoutEffect.filter(isNew);
    memory.reported = unlessEmpty(reported);
    return [
      ...failed.length > 0
        ? [warning('SparkApplicationResourceFailed', 'Converge', `SparkApplication ${metadata.name}: ${noteOf(failed)}`)]
        : [],
      ...idle.length > 0 ? [warning('SparkApplicationSpecWarning', 'Converge', noteOf(idle))] : [],
    ];
  }
}

function unlessEmpty<C extends { readonly size: number }>(collection: C): C | undefined {
  return collection.size > 0 ? collection : undefined;
}
