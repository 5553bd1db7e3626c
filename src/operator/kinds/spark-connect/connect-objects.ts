import { LABEL_CONNECT_NAME, LABEL_CREATED_BY } from '../../../api/labels';
import { SPARK_CONNECT } from '../../../api/spark-connect';
import type { SparkConnectServerStatus } from '../../../api/spark-connect-status';
import type { SubmissionFailure } from '../../driver/submission-failure';
import type { KubeClient } from '../../../kube/client';
import type { Clock } from '../../../kube/clock';
import type { KubeObject } from '../../../kube/objects';
import { noteOf } from '../../note';
import { warning, type UserEvent } from '../../user-event';
import { converge, type ConvergeClient, type Failures } from '../../owned/converge';
import { Inventory } from '../../owned/inventory';
import { keyOfObject, type Known, type KnownObjects } from '../../owned/known';
import { Memories } from '../../owned/memories';
import type { Problem } from '../../owned/problem';
import type { OwnedSettings } from '../../owned/settings';
import { HTTP_ROUTES, INGRESSES, SERVICES } from '../../../model/resources';
import { seconds } from '../../../text/times';
import { conditionIn, SERVICE_READY } from '../../../model/spark-connect-conditions';
import type { SparkConnect } from '../../../model/spark-connect';
import { wantedOf, type WantedOfConnect } from './wanted';

/** Options of the class. */
export interface ConnectObjectsOptions {
  readonly client: ConvergeClient & Pick<KubeClient, 'list'>;
  readonly settings: OwnedSettings;
  readonly clock: Clock;
}

/** Outcome of a pass. */
export interface ConnectObjectsOutcome {
  /** Names for the status. */
  readonly server: Pick<SparkConnectServerStatus, 'serviceName' | 'webUIIngressName' | 'webUIIngressAddress'>;
  /** Why there is no Service at all, so that clients cannot reach the server. */
  readonly failure?: SubmissionFailure;
  /** Why the desired Service does not exist, as a sentence for users. */
  readonly serviceProblem?: string;
  /** Events for users, once each. */
  readonly events: readonly UserEvent[];
  /** Milliseconds until a retry; absent if all objects are as desired. */
  readonly retryAfter?: number;
}

/** Milliseconds until a change by another client is noticed at the latest. */
const VERIFY_AFTER = 5 * 60_000;
const LIST_RETRY = 10_000;
/**
 * Milliseconds until a retry of the Service at the latest, because clients need it to reach the
 * server.
 */
const SERVICE_RETRY = 30_000;

/**
 * The API server's error for a node port or an address of another Service (`ErrAllocated` of
 * ipallocator and portallocator in pkg/registry/core/service).
 */
const USED_BY_SERVICE = /already allocated/;

interface Memory {
  readonly uid: string;
  readonly failures: Failures;
  readonly reported: Set<string>;
}

/**
 * Objects of SparkConnects other than their servers: the Service, and the route to the web UI. They
 * are created, repaired and removed like those of applications.
 */
export class ConnectObjects {
  private readonly inventory: Inventory;
  private readonly memories: Memories<Memory>;

  constructor(private readonly options: ConnectObjectsOptions) {
    const { client, clock, settings: { uiService, ingress, removeOrphans } } = options;
    const routes = uiService && ingress.urlFormat ? [ingress.gateways?.length ? HTTP_ROUTES : INGRESSES] : [];
    const orphans = removeOrphans === false ? [] : [INGRESSES, HTTP_ROUTES].filter((resource) => !routes.includes(resource as never));
    this.inventory = new Inventory(client, clock, [SERVICES, ...routes], orphans, {
      kind: SPARK_CONNECT.kind, labelSelector: `${LABEL_CREATED_BY}=true,${LABEL_CONNECT_NAME}`,
    });
    this.memories = new Memories(this.inventory, (uid) => ({ uid, failures: new Map(), reported: new Set() }));
  }

  /** Number of SparkConnects in memory. */
  get size(): number {
    return this.memories.size;
  }

  /**
   * Creates and removes objects, as a SparkConnect needs them in its state. Each pass calls it.
   *
   * @throws only the signal's reason when that is aborted
   */
  async converge(connect: SparkConnect, signal?: AbortSignal): Promise<ConnectObjectsOutcome> {
    const { client, clock, settings } = this.options;
    const { metadata: { namespace, uid }, status } = connect;
    const memory = this.memories.of(connect.metadata);
    const wanted = wantedOf(connect, settings);
    try {
      await this.inventory.load(namespace, VERIFY_AFTER, signal);
    } catch (error) {
      signal?.throwIfAborted();
      // The status keeps its current content.
      const { podName: _, podIp: __, ...server } = status?.server ?? {};
      const serviceProblem = conditionIn(status, SERVICE_READY)?.message;
      const failure: SubmissionFailure = { reason: `its Services cannot be listed: ${(error as Error).message}`, kind: 'passing' };
      return {
        server, events: [], retryAfter: LIST_RETRY, ...(serviceProblem !== undefined && { serviceProblem }),
        ...(server.serviceName === undefined && { failure }),
      };
    }
    const known = this.inventory.of(namespace, uid);
    const objects = [wanted.service, ...(wanted.uiService ? [wanted.uiService] : []), ...(wanted.route ? [wanted.route] : [])];
    const keys = new Set(objects.map(({ kind, metadata: { name } }) => keyOfObject({ kind, name })));
    const unwanted = known.list().filter((object) => !keys.has(keyOfObject(object)));
    const now = clock.now();
    const attempt = (removed: readonly Known[]) => (
      converge(client, { ...connect, ownerKind: SPARK_CONNECT.kind }, { wanted: objects, unwanted: removed }, known, {
        failures: memory.failures, now, signal,
      })
    );
    const problems = await replacingService(wanted, unwanted, { known, failures: memory.failures, attempt });
    retryWithin(memory.failures, serviceKeyOf(wanted), now + SERVICE_RETRY);
    const failing = [...[...memory.failures.values()].map(({ problem }) => problem), ...problems];
    const retryAt = Math.min(...failing.map(({ notBefore }) => notBefore));
    const server = serverInfo(wanted, known, status?.server?.serviceName);
    return {
      server,
      events: eventsOf(connect, memory, problems),
      ...(retryAt < Infinity && { retryAfter: Math.max(retryAt - now, 0) }),
      ...(server.serviceName !== wanted.service.metadata.name && problemOfService(wanted, problems, server.serviceName !== undefined)),
    };
  }

  /** Forgets a deleted SparkConnect. Kubernetes deletes its objects. `key` is `namespace/name`. */
  forget(key: string): void {
    this.memories.forget(key);
  }
}

/** Dependencies of the replacement of the Service. */
interface Replacement {
  readonly known: KnownObjects;
  readonly failures: Failures;
  /** Creates the desired objects, and removes the given ones. */
  readonly attempt: (removed: readonly Known[]) => Promise<Problem[]>;
}

/**
 * Creates and removes objects. Clients keep the previous Service until the new one exists, unless
 * the new one needs the previous one's port or address.
 */
async function replacingService(
  wanted: WantedOfConnect, unwanted: readonly Known[], { known, failures, attempt }: Replacement,
): Promise<Problem[]> {
  const key = serviceKeyOf(wanted);
  const isThere = () => known.get(key)?.uid !== undefined;
  const kept = isThere() ? [] : unwanted.filter(({ kind }) => kind === wanted.service.kind);
  if (kept.length === 0) return attempt(unwanted);
  const problems = await attempt(unwanted.filter((object) => !kept.includes(object)));
  const isBlocked = problems.some((problem) => problem.key === key && USED_BY_SERVICE.test(problem.sentence ?? ''));
  if (!isThere() && !isBlocked) return problems;
  // Skips the pause after a failure.
  if (isBlocked) failures.clear();
  return attempt(unwanted);
}

function serviceKeyOf({ service: { kind, metadata: { name } } }: WantedOfConnect): string {
  return keyOfObject({ kind, name });
}

/** Limits the pause after a failure of the Service. */
function retryWithin(failures: Failures, key: string, limit: number): void {
  for (const [id, { count, problem }] of failures) {
    if (problem.key === key && problem.notBefore > limit) failures.set(id, { count, problem: { ...problem, notBefore: limit } });
  }
}

/**
 * Returns the names of existing objects. The previous Service is named as long as there is no
 * other.
 */
function serverInfo(
  { service, route, address }: WantedOfConnect, known: KnownObjects, before: string | undefined,
): ConnectObjectsOutcome['server'] {
  const exists = ({ kind, metadata: { name } }: Pick<KubeObject, 'metadata'> & { readonly kind: string }) => (
    known.get(keyOfObject({ kind, name }))?.uid !== undefined
  );
  const serviceName = [service.metadata.name, before].find((name) => (
    name !== undefined && exists({ kind: service.kind, metadata: { name } })
  ));
  return {
    ...(serviceName !== undefined && { serviceName }),
    ...(route && exists(route) && { webUIIngressName: route.metadata.name, webUIIngressAddress: address }),
  };
}

/**
 * Returns why the desired Service does not exist. It is a failure only if there is no previous
 * Service, because clients then cannot reach the server.
 */
function problemOfService(
  wanted: WantedOfConnect, problems: readonly Problem[], hasOther: boolean,
): Pick<ConnectObjectsOutcome, 'failure' | 'serviceProblem'> {
  const { name } = wanted.service.metadata;
  const key = serviceKeyOf(wanted);
  const problem = problems.find((each) => each.key === key);
  if (!problem) return {};
  const serviceProblem = problem.sentence === undefined ? undefined : sentenceOf(problem);
  const failure: SubmissionFailure = serviceProblem === undefined
    ? { reason: `Service ${name} cannot be created at the moment`, kind: 'passing' }
    : { reason: serviceProblem, kind: 'lasting' };
  return { ...(!hasOther && { failure }), ...(serviceProblem !== undefined && { serviceProblem }) };
}

function sentenceOf({ sentence }: Problem): string {
  return `${inWords(sentence!)}; it is tried again every ${seconds(SERVICE_RETRY)}`;
}

/**
 * Returns an event about the new problems. A problem that was solved is reported again when it
 * returns.
 */
function eventsOf({ metadata }: SparkConnect, { reported }: Memory, problems: readonly Problem[]): UserEvent[] {
  for (const key of reported) if (!problems.some((problem) => problem.key === key)) reported.delete(key);
  const failed = problems
    .filter(({ key, sentence }) => sentence !== undefined && !reported.has(key) && reported.add(key))
    .map(({ sentence }) => inWords(sentence!));
  return failed.length > 0 ? [warning('SparkConnectResourceFailed', 'Converge', `SparkConnect ${metadata.name}: ${noteOf(failed)}`)] : [];
}

function inWords(sentence: string): string {
  return sentence.replace('belong to the application', 'belong to the SparkConnect');
}
