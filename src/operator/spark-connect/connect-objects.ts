import { LABEL_CONNECT_NAME, LABEL_CREATED_BY } from '../../api/labels';
import { SPARK_CONNECT } from '../../api/spark-connect';
import type { SparkConnectServerStatus } from '../../api/spark-connect-status';
import type { SubmissionFailure } from '../driver/hindrance';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import type { KubeObject } from '../../kube/objects';
import { noteOf } from '../note';
import { warning, type UserEvent } from '../occurrence';
import { converge, type ConvergeClient, type Failures } from '../owned/converge';
import { Inventory } from '../owned/inventory';
import { keyOfObject, type Known, type KnownObjects } from '../owned/known';
import { Memories } from '../owned/memories';
import type { Problem } from '../owned/problem';
import type { OwnedSettings } from '../owned/settings';
import { HTTP_ROUTES, INGRESSES, SERVICES } from '../../model/resources';
import { seconds } from '../../text/times';
import { conditionIn, SERVICE_READY } from '../../model/spark-connect-conditions';
import type { SparkConnect } from '../../model/spark-connect';
import { wantedOf, type WantedOfConnect } from './wanted';

/** What the class works with. */
export interface ConnectObjectsOptions {
  readonly client: ConvergeClient & Pick<KubeClient, 'list'>;
  readonly settings: OwnedSettings;
  readonly clock: Clock;
}

/** What came of a pass. */
export interface ConnectObjectsOutcome {
  /** What the status is to say of them. */
  readonly server: Pick<SparkConnectServerStatus, 'serviceName' | 'webUIIngressName' | 'webUIIngressAddress'>;
  /** Why there is no Service through which the server could be reached. */
  readonly failure?: SubmissionFailure;
  /** Why there is no Service as it is wanted, of which users are to know; a sentence. */
  readonly serviceProblem?: string;
  /** What users have to be told, once each. */
  readonly events: readonly UserEvent[];
  /** When another try is worth while, in milliseconds; absent if all is as it is wanted. */
  readonly retryAfter?: number;
}

/** What others have changed by hand is noticed after this time at the latest, in milliseconds. */
const VERIFY_AFTER = 5 * 60_000;
const LIST_RETRY = 10_000;
/** Without its Service nobody reaches a server: it is tried again after this time at the latest, in milliseconds. */
const SERVICE_RETRY = 30_000;

/** What the API server says of a port of nodes, or an address, that another Service has (pkg/registry/core/service: ipallocator and portallocator, `ErrAllocated`). */
const TAKEN_BY_SERVICE = /already allocated/;

interface Memory {
  readonly uid: string;
  readonly failures: Failures;
  readonly told: Set<string>;
}

/** What belongs to SparkConnects besides their servers: the Service, and the ways to the web UI. Made, mended and removed as that of applications is. */
export class ConnectObjects {
  private readonly inventory: Inventory;
  private readonly memories: Memories<Memory>;

  constructor(private readonly options: ConnectObjectsOptions) {
    const { client, clock, settings: { uiService, ingress, removeOrphans } } = options;
    const routes = uiService && ingress.urlFormat ? [ingress.gateways?.length ? HTTP_ROUTES : INGRESSES] : [];
    const leftovers = removeOrphans === false ? [] : [INGRESSES, HTTP_ROUTES].filter((resource) => !routes.includes(resource as never));
    this.inventory = new Inventory(client, clock, [SERVICES, ...routes], leftovers, { kind: SPARK_CONNECT.kind, labelSelector: `${LABEL_CREATED_BY}=true,${LABEL_CONNECT_NAME}` });
    this.memories = new Memories(this.inventory, (uid) => ({ uid, failures: new Map(), told: new Set() }));
  }

  /** How many SparkConnects are remembered. */
  get size(): number {
    return this.memories.size;
  }

  /**
   * Brings about what a SparkConnect needs in its state. To be called in each pass.
   *
   * @throws the signal's reason when that is aborted, and nothing else
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
      // What the status says already stays.
      const { podName: _, podIp: __, ...server } = status?.server ?? {};
      const serviceProblem = conditionIn(status, SERVICE_READY)?.message;
      const failure: SubmissionFailure = { reason: `its Services cannot be listed: ${(error as Error).message}`, kind: 'passing' };
      return { server, events: [], retryAfter: LIST_RETRY, ...(serviceProblem !== undefined && { serviceProblem }), ...(server.serviceName === undefined && { failure }) };
    }
    const known = this.inventory.of(namespace, uid);
    const objects = [wanted.service, ...(wanted.uiService ? [wanted.uiService] : []), ...(wanted.route ? [wanted.route] : [])];
    const keys = new Set(objects.map(({ kind, metadata: { name } }) => keyOfObject({ kind, name })));
    const unwanted = known.list().filter((object) => !keys.has(keyOfObject(object)));
    const now = clock.now();
    const attempt = (removed: readonly Known[]) => (
      converge(client, { ...connect, ownerKind: SPARK_CONNECT.kind }, { wanted: objects, unwanted: removed }, known, { failures: memory.failures, now, signal })
    );
    const problems = await replacingService(wanted, unwanted, { known, failures: memory.failures, attempt });
    retryWithin(memory.failures, serviceKeyOf(wanted), now + SERVICE_RETRY);
    const retryAt = Math.min(...[...[...memory.failures.values()].map(({ problem }) => problem), ...problems].map(({ notBefore }) => notBefore));
    const server = serverInfo(wanted, known, status?.server?.serviceName);
    return {
      server,
      events: eventsOf(connect, memory, problems),
      ...(retryAt < Infinity && { retryAfter: Math.max(retryAt - now, 0) }),
      ...(server.serviceName !== wanted.service.metadata.name && problemOfService(wanted, problems, server.serviceName !== undefined)),
    };
  }

  /** The SparkConnect is gone; what it owned goes by itself. `key` is `namespace/name`. */
  forget(key: string): void {
    this.memories.forget(key);
  }
}

/** What replacing the Service works with. */
interface Replacement {
  readonly known: KnownObjects;
  readonly failures: Failures;
  /** Makes what is wanted, and removes these. */
  readonly attempt: (removed: readonly Known[]) => Promise<Problem[]>;
}

/** Makes and removes. Clients have the Service of before until there is the one that is wanted, unless the one cannot be without the other going. */
async function replacingService(wanted: WantedOfConnect, unwanted: readonly Known[], { known, failures, attempt }: Replacement): Promise<Problem[]> {
  const key = serviceKeyOf(wanted);
  const isThere = () => known.get(key)?.uid !== undefined;
  const kept = isThere() ? [] : unwanted.filter(({ kind }) => kind === wanted.service.kind);
  if (kept.length === 0) return attempt(unwanted);
  const problems = await attempt(unwanted.filter((object) => !kept.includes(object)));
  const isBlocked = problems.some((problem) => problem.key === key && TAKEN_BY_SERVICE.test(problem.sentence ?? ''));
  if (!isThere() && !isBlocked) return problems;
  // Without the pause that follows a failure.
  if (isBlocked) failures.clear();
  return attempt(unwanted);
}

function serviceKeyOf({ service: { kind, metadata: { name } } }: WantedOfConnect): string {
  return keyOfObject({ kind, name });
}

/** A failure of the Service is not waited for as long as others. */
function retryWithin(failures: Failures, key: string, limit: number): void {
  for (const [id, { count, problem }] of failures) {
    if (problem.key === key && problem.notBefore > limit) failures.set(id, { count, problem: { ...problem, notBefore: limit } });
  }
}

/** Only what exists: the Service of before, as long as there is no other. */
function serverInfo({ service, route, address }: WantedOfConnect, known: KnownObjects, before: string | undefined): ConnectObjectsOutcome['server'] {
  const exists = ({ kind, metadata: { name } }: Pick<KubeObject, 'metadata'> & { readonly kind: string }) => known.get(keyOfObject({ kind, name }))?.uid !== undefined;
  const serviceName = [service.metadata.name, before].find((name) => name !== undefined && exists({ kind: service.kind, metadata: { name } }));
  return {
    ...(serviceName !== undefined && { serviceName }),
    ...(route && exists(route) && { webUIIngressName: route.metadata.name, webUIIngressAddress: address }),
  };
}

/** Why there is no Service as it is wanted. Without one of before nobody would reach a server. */
function problemOfService(wanted: WantedOfConnect, problems: readonly Problem[], hasOther: boolean): Pick<ConnectObjectsOutcome, 'failure' | 'serviceProblem'> {
  const { name } = wanted.service.metadata;
  const key = serviceKeyOf(wanted);
  const problem = problems.find((each) => each.key === key);
  if (!problem) return {};
  const serviceProblem = problem.sentence === undefined ? undefined : sentenceOf(problem);
  const failure: SubmissionFailure = serviceProblem === undefined ? { reason: `Service ${name} cannot be made at the moment`, kind: 'passing' } : { reason: serviceProblem, kind: 'lasting' };
  return { ...(!hasOther && { failure }), ...(serviceProblem !== undefined && { serviceProblem }) };
}

function sentenceOf({ sentence }: Problem): string {
  return `${inWords(sentence!)}; it is tried again every ${seconds(SERVICE_RETRY)}`;
}

/** What users have not been told yet. What is well again is told anew when it fails again. */
function eventsOf({ metadata }: SparkConnect, { told }: Memory, problems: readonly Problem[]): UserEvent[] {
  for (const key of told) if (!problems.some((problem) => problem.key === key)) told.delete(key);
  const failed = problems.filter(({ key, sentence }) => sentence !== undefined && !told.has(key) && told.add(key)).map(({ sentence }) => inWords(sentence!));
  return failed.length > 0 ? [warning('SparkConnectResourceFailed', 'Converge', `SparkConnect ${metadata.name}: ${noteOf(failed)}`)] : [];
}

function inWords(sentence: string): string {
  return sentence.replace('belong to the application', 'belong to the SparkConnect');
}
