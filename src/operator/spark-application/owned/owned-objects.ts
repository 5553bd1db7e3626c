import { LABEL_APP_UID, LABEL_CREATED_BY } from '../../../api/labels';
import { ApplicationState } from '../../../api/states';
import type { CurrentDefaults } from '../../../plan/defaults/layer';
import type { KubeClient } from '../../../kube/client';
import type { Clock } from '../../../kube/clock';
import { isForbidden, isNotFound } from '../../../kube/errors';
import type { Resource } from '../../../kube/resource';
import { noteOf } from '../../note';
import { warning, type UserEvent } from '../../occurrence';
import { converge, type ConvergeClient, type Failures } from '../../owned/converge';
import { Inventory, MAX_OF_KIND } from '../../owned/inventory';
import { keyOfObject, kindOf, knownOf, type KnownObjects } from '../../owned/known';
import { Memories } from '../../owned/memories';
import { ownerOfObject, type Problem } from '../../owned/problem';
import { hasRoutes, type OwnedSettings } from '../../owned/settings';
import { CONFIG_MAPS, HTTP_ROUTES, INGRESSES, POD_DISRUPTION_BUDGETS, SERVICES } from '../../../model/resources';
import { groupOf, schedulerResources } from '../../../plan/schedulers/registry';
import { withDefaultScheduler } from '../../../plan/schedulers/schedule';
import type { SpecFacts } from '../../../model/spec-facts';
import { isBeginning, isBegun, stateOf, type SparkApplication } from '../../../model/spark-application';
import { specOfAttempt } from './attempt-spec';
import { hasDriver, isWithDriver, wantedOf, type Wanted } from './wanted';
import { webUIInfo, webUIInfoIn, type WebUIInfo } from './web-ui-info';

/** What the class works with. */
export interface OwnedObjectsOptions {
  /** Every change goes through it: it has to refuse when this process does not lead. */
  readonly client: ConvergeClient & Pick<KubeClient, 'list'>;
  readonly settings: OwnedSettings;
  readonly clock: Clock;
}

/** What is to be known of a pass over an application, besides the application. */
export interface OwnedPass {
  /** The application's driver was submitted in this pass. @default false */
  readonly submitted?: boolean;
  /** Defaults and limits of the cluster. @default - none */
  readonly defaults?: CurrentDefaults;
  readonly signal?: AbortSignal;
}

/** What came of it. */
export interface OwnedOutcome {
  /** What the status is to say of the web UI; empty if there is none, and what it says already if nobody knows. */
  readonly webUI: WebUIInfo;
  /** What users have to be told, once each. */
  readonly events: readonly UserEvent[];
  /** When another try is worth while, in milliseconds; absent if all is as it is wanted. */
  readonly retryAfter?: number;
}

/** What others have changed by hand is noticed after this time at the latest, in milliseconds. */
const VERIFY_AFTER = 5 * 60_000;
/** A namespace that could not be listed is tried again after this time, in milliseconds. */
const LIST_RETRY = 10_000;
/** After the driver, a list that left out objects of an application is made again after this time, in milliseconds. */
const REST_AFTER = 60_000;

/** What is remembered of an application that has, or had, a driver. */
interface Memory {
  readonly uid: string;
  /** What failed; absent when nothing did, as a map for each of thousands of applications is worth sparing. */
  failures?: Failures;
  /** What its users were told; absent when that is nothing. */
  told?: Set<string>;
  /** The submission that has begun under defaults which have not been seen yet. */
  unseen?: string;
  /** When a driver was submitted, as a moment of the inventory, and the kinds of what was there for it by then, and has not been looked for. */
  madeWithDriver?: { readonly since: number; readonly resources: readonly Resource[] };
  /** The group of a driver that this process has not submitted. That of kubeflow/spark-operator has no labels to be found by. */
  groupOfOther?: { readonly resource: Resource; readonly name: string };
}

/**
 * What belongs to applications besides their drivers: Services and Ingresses (or HTTPRoutes) of web UIs and other ports, PodDisruptionBudgets. It is made
 * when a driver was submitted, mended while it lives, and removed with it; and with it goes the configuration of its metrics.
 *
 * What was made is remembered, and each namespace is listed once and from then on every few minutes as long as something runs in it: an application
 * costs one call for each object that is made, changed or removed, and no other.
 */
export class OwnedObjects {
  private readonly inventory: Inventory;
  /** The kinds of what is made with a driver for its batch scheduler. */
  private readonly groups: readonly Resource[];
  private readonly memories: Memories<Memory>;

  constructor(private readonly options: OwnedObjectsOptions) {
    const { client, clock, settings } = options;
    const hasGateways = Boolean(settings.ingress.gateways?.length);
    const made = [
      ...hasRoutes(settings) ? [hasGateways ? HTTP_ROUTES : INGRESSES] : [],
      ...settings.driverPodDisruptionBudget ? [POD_DISRUPTION_BUDGETS] : [],
    ];
    const leftovers = [INGRESSES, HTTP_ROUTES, POD_DISRUPTION_BUDGETS].filter((resource) => settings.removeOrphans !== false && !made.includes(resource));
    this.groups = schedulerResources(settings.batchSchedulers);
    this.inventory = new Inventory(client, clock, [SERVICES, CONFIG_MAPS, ...this.groups, ...made], leftovers);
    this.memories = new Memories(this.inventory, (uid) => ({ uid }));
  }

  /** How many applications are remembered. */
  get size(): number {
    return this.memories.size;
  }

  /**
   * Brings about what an application needs in its state. To be called in each pass over the application, after its status was written.
   *
   * @throws the signal's reason when that is aborted, and nothing else: no failure here keeps an application from running
   */
  async converge(application: SparkApplication, { submitted = false, defaults, signal }: OwnedPass = {}): Promise<OwnedOutcome> {
    const state = stateOf(application);
    const asItIs = { webUI: webUIInfoIn(application.status?.driverInfo ?? {}), events: [] };
    // Nothing was submitted yet, or it is being submitted: what is there may be what the driver needs.
    if (state === ApplicationState.NEW || (isBeginning(application) && isBegun(application))) return asItIs;
    const { client, clock, settings } = this.options;
    const { namespace, uid } = application.metadata;
    const memory = this.memories.of(application.metadata);
    const spec = submitted || hasDriver(state) ? this.specOf(application, memory, { submitted, defaults }) : undefined;
    if (submitted) memory.madeWithDriver = this.madeWithDriver(spec);
    const isOurs = submitted || memory.madeWithDriver !== undefined;
    if (spec) memory.groupOfOther = isOurs ? undefined : groupOf(application.metadata.name, this.schedulerOf(spec), settings.batchSchedulers);
    // Its end needs no specification.
    if (!spec && hasDriver(state)) return asItIs;
    const wanted = wantedOf({ ...application, spec: spec ?? application.spec }, settings);
    try {
      await this.inventory.load(namespace, this.maxAge(application), signal);
    } catch {
      signal?.throwIfAborted();
      return { ...asItIs, retryAfter: LIST_RETRY };
    }
    const known = this.inventory.of(namespace, uid);
    const isFound = isWithDriver(state) || await this.findCreated(application, memory, known, signal);
    const keys = new Set(wanted.objects.map(({ kind, metadata: { name } }) => keyOfObject({ kind, name })));
    const withDriver = new Set([CONFIG_MAPS, ...this.groups].map(kindOf));
    const unwanted = known.list().filter((object) => !keys.has(keyOfObject(object)) && !(withDriver.has(object.kind) && isWithDriver(state)));
    const now = clock.now();
    const failures: Failures = memory.failures ?? new Map();
    const problems = await converge(client, application, { wanted: wanted.objects, unwanted }, known, { failures, now, signal });
    memory.failures = unlessEmpty(failures);
    // Of those that have finished nothing is remembered, however many they are.
    const isDue = isWithDriver(state) && (memory.madeWithDriver ?? memory.groupOfOther) !== undefined;
    if (!hasDriver(state) && problems.length === 0 && isFound && !isDue) this.memories.delete(application.metadata);
    const isCut = !hasDriver(state) && this.inventory.isCut(namespace, uid);
    const retryAt = Math.min(...problems.map(({ notBefore }) => notBefore), isFound ? Infinity : now + LIST_RETRY, isCut ? now + REST_AFTER : Infinity);
    return {
      webUI: webUIInfo(wanted.webUI, known, asItIs.webUI),
      events: this.eventsOf(application, memory, wanted, problems),
      ...retryAt < Infinity && { retryAfter: retryAt - now },
    };
  }

  /** How old the list of what there is may be. */
  private maxAge(application: SparkApplication): number {
    if (hasDriver(stateOf(application))) return VERIFY_AFTER;
    return this.inventory.isCut(application.metadata.namespace, application.metadata.uid) ? REST_AFTER : Infinity;
  }

  /** The application is gone; what it owned goes by itself. `key` is `namespace/name`. */
  forget(key: string): void {
    this.memories.forget(key);
  }

  /** The specification that the attempt was begun with; undefined if it cannot be told. */
  private specOf(application: SparkApplication, memory: Memory, { submitted, defaults }: Pick<OwnedPass, 'submitted' | 'defaults'>): SpecFacts | undefined {
    const submissionID = application.status?.submissionID;
    if (submitted) memory.unseen = submissionID;
    const spec = specOfAttempt(application, defaults, submissionID !== undefined && memory.unseen === submissionID);
    if (spec) memory.unseen = undefined;
    return spec;
  }

  /** What may have been made with a driver that has just been submitted: the configuration of its metrics, and its group of pods. */
  private madeWithDriver(spec: SpecFacts | undefined): Memory['madeWithDriver'] {
    const isScheduled = !spec || Boolean(this.schedulerOf(spec));
    const resources = [...!spec || spec.monitoring?.prometheus ? [CONFIG_MAPS] : [], ...isScheduled ? this.groups : []];
    return resources.length > 0 ? { since: this.inventory.moment(), resources } : undefined;
  }

  private schedulerOf(spec: SpecFacts): string | undefined {
    return withDefaultScheduler(spec, this.options.settings.batchSchedulers).batchScheduler || undefined;
  }

  /**
   * Looks for what was made with a driver that has ended. What another process has made was there before this one has listed anything, and so is known already.
   *
   * @returns whether it is known by now
   */
  private async findCreated(application: SparkApplication, memory: Memory, known: KnownObjects, signal?: AbortSignal): Promise<boolean> {
    const { metadata } = application;
    if (!await this.findGroupOfOther(application, memory, known, signal)) return false;
    const made = memory.madeWithDriver;
    if (!made || this.inventory.isReadAfter(metadata.namespace, made.since)) return true;
    const labelSelector = `${LABEL_CREATED_BY}=true,${LABEL_APP_UID}=${metadata.uid}`;
    for (const resource of made.resources) {
      try {
        let count = 0;
        for await (const object of this.options.client.list(resource, { namespace: metadata.namespace, labelSelector, signal })) {
          known.set(knownOf(kindOf(resource), object, {}));
          if (++count === MAX_OF_KIND) break;
        }
      } catch (error) {
        signal?.throwIfAborted();
        // It goes with the application then; of a kind that is not served there is nothing.
        if (!isForbidden(error) && !isNotFound(error)) return false;
      }
    }
    memory.madeWithDriver = undefined;
    return true;
  }

  /** The same for the group that another operator has made for the application, by its name. @returns whether it is known by now */
  private async findGroupOfOther(application: SparkApplication, memory: Memory, known: KnownObjects, signal?: AbortSignal): Promise<boolean> {
    const group = memory.groupOfOther;
    if (!group || known.get(keyOfObject({ kind: kindOf(group.resource), name: group.name }))) return true;
    try {
      const object = await this.options.client.get(group.resource, { namespace: application.metadata.namespace, name: group.name }, { signal });
      if (ownerOfObject(object, application) === 'ours') known.set(knownOf(kindOf(group.resource), object, {}));
    } catch (error) {
      signal?.throwIfAborted();
      if (!isForbidden(error) && !isNotFound(error)) return false;
    }
    memory.groupOfOther = undefined;
    return true;
  }

  /** What users have not been told yet. What is well again is told anew when it fails again. */
  private eventsOf({ metadata }: SparkApplication, memory: Memory, wanted: Wanted, problems: readonly Problem[]): UserEvent[] {
    const told = memory.told ?? new Set<string>();
    const idOf = ({ key }: Problem) => `problem ${key}`;
    for (const id of told) if (id.startsWith('problem ') && !problems.some((problem) => idOf(problem) === id)) told.delete(id);
    const isNew = (id: string) => !told.has(id) && told.add(id);
    const failed = problems.filter((problem) => problem.sentence && isNew(idOf(problem))).map(({ sentence }) => sentence!);
    const idle = wanted.withoutEffect.filter(isNew);
    memory.told = unlessEmpty(told);
    return [
      ...failed.length > 0 ? [warning('SparkApplicationResourceFailed', 'Converge', `SparkApplication ${metadata.name}: ${noteOf(failed)}`)] : [],
      ...idle.length > 0 ? [warning('SparkApplicationSpecWarning', 'Converge', noteOf(idle))] : [],
    ];
  }
}

function unlessEmpty<C extends { readonly size: number }>(collection: C): C | undefined {
  return collection.size > 0 ? collection : undefined;
}
