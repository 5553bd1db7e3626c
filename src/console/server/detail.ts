import { executorSteps } from './executors';
import { HttpError } from './http';
import { podRow } from './pods';
import { applicationRow } from './rows';
import { attemptsOf, statesOf } from './timeline';
import { GET_APPLICATION, rightText, type Right, type Viewer } from './viewer';
import { LABEL_APP_NAME, LABEL_APP_UID } from '../../api/labels';
import { explain } from '../../explain/explain';
import type { KubeClient, ListOptions, ListPage } from '../../kube/client';
import { isForbidden, isNotFound } from '../../kube/errors';
import { EVENTS, type KubeEvent } from '../../kube/events';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { viewOf } from '../../operator/driver/pod-view';
import { CONFIG_MAPS, INGRESSES, PERSISTENT_VOLUME_CLAIMS, POD_DISRUPTION_BUDGETS, PODS, SERVICES, SPARK_APPLICATIONS } from '../../operator/resources';
import { timeIn } from '../../operator/scheduled-spark-application/model';
import type { WholeApplication } from '../../operator/spark-application/model';
import { yamlText } from '../../sparkctl/render/yaml-text';
import type { ApplicationDetail, EventRow, OwnedRow } from '../wire';

/** Kinds of what may belong to an application, besides its pods. */
const OWNED: readonly Resource[] = [SERVICES, CONFIG_MAPS, INGRESSES, PERSISTENT_VOLUME_CLAIMS, POD_DISRUPTION_BUDGETS];

/** More events are not shown: the newest count. */
const MOST_EVENTS = 500;

/** More objects of a kind are not read. */
const MOST_OWNED = 200;

/** More pods are not shown of an application; the driver is always among them. */
const MOST_PODS = 2_000;

/** Events of a page. They come in the order of their names, whichever is the newest. */
const EVENTS_AT_ONCE = 500;

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
  const [rawPods, events, owned] = await Promise.all([
    readPods(reader, selector, application.status?.driverInfo?.podName),
    readEvents(reader, application),
    Promise.all(OWNED.map(async (resource) => (await reader.list(resource, { labelSelector: selector, limit: MOST_OWNED })).map(ownedRow))),
  ]);
  const own = rawPods.filter((pod) => [undefined, application.metadata.uid].includes(pod.metadata.labels?.[LABEL_APP_UID]));
  const pods = own.map(podRow).sort((a, b) => (a.role === b.role ? (a.created ?? 0) - (b.created ?? 0) || (a.name < b.name ? -1 : 1) : a.role === 'driver' ? -1 : 1));
  const views = own.map((pod) => viewOf(pod));
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
    owned: owned.flat().sort((a, b) => (a.kind + a.name < b.kind + b.name ? -1 : 1)),
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

  /** The first page. */
  async list<T extends KubeObject>(resource: Resource<T>, options: Pick<ListOptions, 'labelSelector' | 'fieldSelector' | 'limit'>): Promise<readonly T[]> {
    return await this.ifAllowed(resource, async (namespace) => (await this.client.listPage(resource, { ...options, namespace, signal: this.signal })).items) ?? [];
  }

  /** Hands on all pages, each as it comes. */
  async forEachPage<T extends KubeObject>(resource: Resource<T>, options: Pick<ListOptions, 'fieldSelector' | 'limit'>, take: (items: readonly T[]) => void): Promise<void> {
    await this.ifAllowed(resource, async (namespace) => {
      let place: string | undefined;
      do {
        const page: ListPage<T> = await this.client.listPage(resource, { ...options, namespace, continue: place, signal: this.signal });
        take(page.items);
        place = page.metadata.continue;
      } while (place);
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

/** The pods of an application. Of very many a page is read, in which the driver need not be. */
async function readPods(reader: Reader, labelSelector: string, driver: string | undefined): Promise<readonly KubeObject[]> {
  const pods = await reader.list(PODS, { labelSelector, limit: MOST_PODS });
  if (pods.length < MOST_PODS || !driver || pods.some(({ metadata }) => metadata.name === driver)) return pods;
  return [...await reader.list(PODS, { labelSelector, fieldSelector: `metadata.name=${driver}` }), ...pods];
}

/** The events of an application and of its driver: those of executors would be many, and the operator sums them up. */
async function readEvents(reader: Reader, { metadata, status }: WholeApplication): Promise<readonly EventRow[]> {
  let rows: readonly EventRow[] = [];
  // What is too old goes with each page: nobody keeps all.
  const read = (fieldSelector: string) => reader.forEachPage(EVENTS, { fieldSelector, limit: EVENTS_AT_ONCE }, (events) => { rows = newest([...rows, ...events.map(eventRow)]); });
  const driver = status?.driverInfo?.podName;
  await Promise.all([read(`involvedObject.uid=${metadata.uid}`), driver && read(`involvedObject.kind=Pod,involvedObject.name=${driver}`)]);
  return rows;
}

/** In the order of their times. */
function newest(events: readonly EventRow[]): readonly EventRow[] {
  return [...events].sort((a, b) => a.last - b.last || (a.uid < b.uid ? -1 : 1)).slice(-MOST_EVENTS);
}

function eventRow({ metadata, involvedObject, type, reason, message, count, firstTimestamp, lastTimestamp, ...others }: KubeEvent): EventRow {
  const { eventTime } = others as { readonly eventTime?: string };
  const created = timeIn(eventTime) ?? timeIn(metadata.creationTimestamp) ?? 0;
  const first = timeIn(firstTimestamp) ?? created;
  return {
    uid: metadata.uid ?? metadata.name,
    type,
    reason: reason ?? '',
    message: message ?? '',
    count: count ?? 1,
    first,
    last: timeIn(lastTimestamp) ?? first,
    about: `${involvedObject.kind ?? ''}/${involvedObject.name}`,
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
