import { cut } from './cut';
import { executorSteps } from './executors';
import { HttpError } from './http';
import { podRow } from './pods';
import { applicationRow } from './rows';
import { attemptsOf, statesOf } from './timeline';
import { GET_APPLICATION, rightText, type Right, type Viewer } from './viewer';
import { LABEL_APP_NAME, LABEL_APP_UID } from '../../api/labels';
import { explain } from '../../explain/explain';
import type { KubeClient, Selection } from '../../kube/client';
import { isForbidden, isNotFound } from '../../kube/errors';
import { EVENTS, type KubeEvent } from '../../kube/events';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { viewOf, type PodView } from '../../model/pod-view';
import { CONFIG_MAPS, INGRESSES, PERSISTENT_VOLUME_CLAIMS, POD_DISRUPTION_BUDGETS, PODS, SERVICES, SPARK_APPLICATIONS } from '../../model/resources';
import { timeIn } from '../../model/scheduled-spark-application';
import type { WholeApplication } from '../../model/spark-application';
import { yamlText } from '../../text/yaml';
import type { ApplicationDetail, EventRow, OwnedRow, PodRow } from '../wire';

/** Kinds of what may belong to an application, besides its pods. */
const OWNED: readonly Resource[] = [SERVICES, CONFIG_MAPS, INGRESSES, PERSISTENT_VOLUME_CLAIMS, POD_DISRUPTION_BUDGETS];

/** More events are not shown: the newest count. */
const MOST_EVENTS = 500;

/** More objects of a kind are not read. */
const MOST_OWNED = 200;

/** More pods are not shown of an application; the driver is always among them. */
const MOST_PODS = 2_000;

/** Objects of a page. */
const AT_ONCE = 500;

/** The longest text of an event, in characters, as of a note; the API accepts any message. */
const MAX_TEXT = 1_024;

/** Where an application is. */
export interface ApplicationRef {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Reads all about one application. What the user may not read is left out, and `hidden` says so.
 *
 * @param signal ends the reading
 * @throws {HttpError} 403 or 404
 */
export async function readDetail(client: KubeClient, viewer: Viewer, ref: ApplicationRef, now: number, signal: AbortSignal): Promise<ApplicationDetail> {
  const application = await readApplication(client, viewer, ref, signal);
  const reader = new Reader(client, viewer, ref.namespace, signal);
  const selector = `${LABEL_APP_NAME}=${ref.name}`;
  // One list after another, as pages of large objects take memory.
  const allPods = await readPods(reader, selector, application.status?.driverInfo?.podName);
  const events = await readEvents(reader, application);
  const owned: OwnedRow[] = [];
  for (const resource of OWNED) owned.push(...await reader.list(resource, { labelSelector: selector }, MOST_OWNED, ownedRow));
  const own = allPods.filter(({ applicationUid }) => [undefined, application.metadata.uid].includes(applicationUid));
  const pods = own.map(({ row }) => row).sort((a, b) => (a.role === b.role ? (a.created ?? 0) - (b.created ?? 0) || (a.name < b.name ? -1 : 1) : a.role === 'driver' ? -1 : 1));
  const views = own.map(({ view }) => view);
  const driverPod = application.status?.driverInfo?.podName;
  const states = statesOf(application, events);
  const isExecutor = (name: string) => pods.some((pod) => pod.name === name && pod.role === 'executor');
  const driver = views.find(({ metadata }) => metadata.name === driverPod);
  const executors = views.filter(({ metadata }) => isExecutor(metadata.name));
  return {
    row: applicationRow(application),
    ...explain({ application, ...(driver && { driver }), ...(executors.length > 0 && { executors }), now }),
    states,
    attempts: attemptsOf(states, application.status?.submissionAttempts ?? 0),
    pods,
    executorSteps: executorSteps(pods, events, Object.keys(application.status?.executorState ?? {}).length),
    events,
    owned: owned.sort((a, b) => (a.kind + a.name < b.kind + b.name ? -1 : 1)),
    yaml: yamlText(forPeople(application)),
    ...(driverPod && { driverPod }),
    ...(application.status?.driverInfo?.webUIIngressAddress && { sparkUi: application.status.driverInfo.webUIIngressAddress }),
    hidden: reader.hidden,
  };
}

/**
 * Reads an application for somebody who may.
 *
 * @param signal ends the reading
 * @throws {HttpError} 403 or 404
 */
export async function readApplication(client: KubeClient, viewer: Viewer, { namespace, name }: ApplicationRef, signal: AbortSignal): Promise<WholeApplication> {
  await viewer.require({ ...GET_APPLICATION, namespace, name });
  try {
    return await client.get(SPARK_APPLICATIONS, { namespace, name }, { signal });
  } catch (error) {
    if (isNotFound(error)) throw new HttpError(404, `there is no SparkApplication ${name} in ${namespace}; it may have been deleted`);
    throw error;
  }
}

/** Lists what somebody may list. */
class Reader {
  private readonly refused = new Set<string>();

  constructor(private readonly client: KubeClient, private readonly viewer: Viewer, private readonly namespace: string, private readonly signal: AbortSignal) {}

  /** What was not read, in words. */
  get hidden(): string[] {
    return [...this.refused];
  }

  /**
   * Returns what `pick` keeps of each object, up to a number of objects. Nothing else stays in
   * memory.
   */
  async list<T extends KubeObject, R>(resource: Resource<T>, selection: Selection, most: number, pick: (object: T) => R): Promise<R[]> {
    const kept: R[] = [];
    await this.forEach(resource, selection, Math.min(most, AT_ONCE), (object) => kept.push(pick(object)) < most);
    return kept;
  }

  /** Hands over objects one by one, in the order of their names, until `take` returns `false`. */
  async forEach<T extends KubeObject>(resource: Resource<T>, selection: Selection, limit: number, take: (object: T) => boolean): Promise<void> {
    await this.ifAllowed(resource, async (namespace) => {
      for await (const object of this.client.list(resource, { ...selection, limit, namespace, signal: this.signal })) {
        if (!take(object)) return;
      }
    });
  }

  private async ifAllowed<R>(resource: Resource, read: (namespace: string) => Promise<R>): Promise<R | undefined> {
    const { namespace } = this;
    const right: Right = { verb: 'list', group: resource.group, resource: resource.plural, namespace };
    try {
      await this.viewer.require(right);
      return await read(namespace);
    } catch (error) {
      // The kind may not be there at all, as without a Gateway.
      if (isNotFound(error)) return undefined;
      if (!isForbidden(error) && !(error instanceof HttpError && error.status === 403)) throw error;
      this.refused.add(rightText(right));
      return undefined;
    }
  }
}

/** Parts of a pod that a detail needs. */
interface SeenPod {
  readonly row: PodRow;
  readonly view: PodView;
  readonly applicationUid: string | undefined;
}

/**
 * Reads the pods of an application. If there are very many, the driver might not be among the
 * first.
 */
async function readPods(reader: Reader, labelSelector: string, driver: string | undefined): Promise<readonly SeenPod[]> {
  const seen = (pod: KubeObject): SeenPod => ({ row: podRow(pod), view: viewOf(pod), applicationUid: pod.metadata.labels?.[LABEL_APP_UID] });
  const pods = await reader.list(PODS, { labelSelector }, MOST_PODS, seen);
  if (pods.length < MOST_PODS || !driver || pods.some(({ row }) => row.name === driver)) return pods;
  return [...await reader.list(PODS, { labelSelector, fieldSelector: `metadata.name=${driver}` }, 1, seen), ...pods];
}

/**
 * Reads the events of an application and of its driver. Those of executors would be many, and the
 * operator sums them up.
 */
async function readEvents(reader: Reader, { metadata, status }: WholeApplication): Promise<readonly EventRow[]> {
  let rows: EventRow[] = [];
  const read = (fieldSelector: string) => reader.forEach(EVENTS, { fieldSelector }, AT_ONCE, (event) => {
    // The newest can have any name, so old ones make room while others come.
    if (rows.push(eventRow(event)) >= 2 * MOST_EVENTS) rows = newest(rows);
    return true;
  });
  await read(`involvedObject.uid=${metadata.uid}`);
  const driver = status?.driverInfo?.podName;
  if (driver) await read(`involvedObject.kind=Pod,involvedObject.name=${driver}`);
  return newest(rows);
}

/** In the order of their times. */
function newest(events: readonly EventRow[]): EventRow[] {
  return [...events].sort((a, b) => a.last - b.last || (a.uid < b.uid ? -1 : 1)).slice(-MOST_EVENTS);
}

function eventRow({ metadata, involvedObject, type, reason, message, count, firstTimestamp, lastTimestamp, ...others }: KubeEvent): EventRow {
  const { eventTime } = others as { readonly eventTime?: string };
  const created = timeIn(eventTime) ?? timeIn(metadata.creationTimestamp) ?? 0;
  const first = timeIn(firstTimestamp) ?? created;
  return {
    uid: metadata.uid ?? metadata.name,
    type: cut(type ?? '', MAX_TEXT),
    reason: cut(reason ?? '', MAX_TEXT),
    message: cut(message ?? '', MAX_TEXT),
    count: count ?? 1,
    first,
    last: timeIn(lastTimestamp) ?? first,
    about: cut(`${involvedObject.kind ?? ''}/${involvedObject.name}`, MAX_TEXT),
  };
}

function ownedRow({ kind, metadata }: KubeObject): OwnedRow {
  const created = timeIn(metadata.creationTimestamp);
  return { kind: kind ?? '', name: metadata.name, ...(created !== undefined && { created }) };
}

/** Without what only machines read, which is often the larger half. */
function forPeople(application: WholeApplication): object {
  const { statusWriters: _, metadata, ...others } = application;
  const { managedFields: __, annotations, ...rest } = metadata as typeof metadata & { readonly managedFields?: unknown };
  const { 'kubectl.kubernetes.io/last-applied-configuration': ___, ...kept } = annotations ?? {};
  const { apiVersion, kind, ...body } = others;
  return { apiVersion, kind, metadata: { ...rest, ...(Object.keys(kept).length > 0 && { annotations: kept }) }, ...body };
}
