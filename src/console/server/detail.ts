import { AllowedReader, PAGE_SIZE } from './allowed-reader';
import { truncate } from './truncate';
import { endedDriver, endedRow, endedWith } from './ended-driver';
import { executorSteps } from './executors';
import { factsOf } from './facts';
import { historyUrl } from './history-server';
import { driverLogFor } from './driver-log';
import { HttpError } from './http';
import { foldedRows, type TimedRow } from './image-events';
import type { NodeReader } from './node-reader';
import { podRow } from './pods';
import { applicationRow } from './rows';
import { attemptsOf, statesOf } from './timeline';
import { GET_APPLICATION, READ_LOG, rightText, type Viewer } from './viewer';
import { LABEL_APP_NAME, LABEL_APP_UID } from '../../api/labels';
import { ApplicationState } from '../../api/states';
import { explain, hasNoLog, knownEnd, type ObservedApplication } from '../../explain/explain';
import { whyNoDriver } from '../../explain/missing-driver';
import { podReason } from '../../explain/pod-reason';
import { lacksRoom, type Room } from '../../explain/room';
import type { OperatorPresence } from '../../model/operator-presence';
import type { KubeClient } from '../../kube/client';
import { isForbidden, isNotFound } from '../../kube/errors';
import { EVENTS, preciseTime, type KubeEvent } from '../../kube/events';
import { compareResourceVersions, type KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { eventsOfPod, withPreparation } from '../../model/actions/preparation';
import { causeInLog } from '../../model/cause/log-cause';
import type { PodSpec } from '../../model/kubernetes-objects';
import { isDriverKilled } from '../../model/cause/status-cause';
import { lastDriver } from '../../model/last-driver';
import type { Node } from '../../model/nodes';
import { viewOf, type PodView } from '../../model/pod-view';
import {
  CONFIG_MAPS, INGRESSES, PERSISTENT_VOLUME_CLAIMS, POD_DISRUPTION_BUDGETS, PODS, SERVICES, SPARK_APPLICATIONS,
} from '../../model/resources';
import { timeIn } from '../../model/scheduled-spark-application';
import { needsDriver, stateOf, type WholeApplication } from '../../model/spark-application';
import { yamlText } from '../../text/yaml';
import type { ApplicationDetail, EventRow, OwnedRow, PodRow } from '../wire';

/** Kinds of objects, except pods, that can belong to an application. */
const OWNED: readonly Resource[] = [SERVICES, CONFIG_MAPS, INGRESSES, PERSISTENT_VOLUME_CLAIMS, POD_DISRUPTION_BUDGETS];

/** Maximum number of events in the answer, the newest. */
const MAX_EVENTS = 500;

/** Maximum number of objects of one kind. */
const MAX_OWNED = 200;

/** Maximum number of pods in the answer; the driver is always among them. */
const MAX_PODS = 2_000;

/**
 * Maximum length of an event's text, in characters, as of a note. The API accepts longer messages.
 */
const MAX_TEXT = 1_024;

/** Namespace and name of an application. */
export interface ApplicationRef {
  readonly namespace: string;
  readonly name: string;
}

/** Options of `readDetail`. */
export interface DetailOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Aborts the reads. */
  readonly signal: AbortSignal;
  /** Returns whether the operator of an application runs. @default - unknown */
  readonly operatorOf?: (application: WholeApplication) => OperatorPresence | undefined;
  /** Nodes, for pods that fit on none. @default - not read */
  readonly nodes?: NodeReader;
  /** URL of the History Server. @default - no link to it */
  readonly historyServer?: string;
}

/**
 * Reads the details of one application. `hidden` lists the permissions that the user lacks for the
 * missing parts.
 *
 * @throws {HttpError} 403 or 404
 */
export async function readDetail(
  client: KubeClient, viewer: Viewer, ref: ApplicationRef, { now, signal, operatorOf, nodes, historyServer }: DetailOptions,
): Promise<ApplicationDetail> {
  const application = await readApplication(client, viewer, ref, signal);
  const operator = operatorOf?.(application);
  const reader = new AllowedReader(client, viewer, ref.namespace, signal);
  const selector = `${LABEL_APP_NAME}=${ref.name}`;
  // Lists run one after another, because pages of large objects need memory.
  const allPods = await readPods(reader, selector, application.status?.driverInfo?.podName);
  const canListPods = reader.hidden.length === 0;
  const events = await readEvents(reader, application);
  const owned: OwnedRow[] = [];
  for (const resource of OWNED) owned.push(...await reader.list(resource, { labelSelector: selector }, MAX_OWNED, ownedRow));
  const own = allPods.filter(({ applicationUid }) => [undefined, application.metadata.uid].includes(applicationUid));
  const driverPod = application.status?.driverInfo?.podName;
  const viewsOf = (role: PodRow['role']) => own.filter(({ row }) => row.role === role).map(({ view }) => view);
  const prepared = async (state: ApplicationState, views: readonly PodView[]) => (stateOf(application) === state
    ? withPreparation(views, now, async (pod) => reader.list(EVENTS, { fieldSelector: eventsOfPod(pod) }, MAX_EVENTS, (event) => event))
    : views);
  const drivers = await prepared(ApplicationState.SUBMITTED, viewsOf('driver'));
  const executors = await prepared(ApplicationState.RUNNING, viewsOf('executor'));
  const explained = [...drivers, ...executors].filter(({ obstacle }) => obstacle?.isFromEvents);
  const pods = own.map(({ row }) => withReason(row, explained)).sort(comparePods);
  const driver = drivers.find(({ metadata }) => metadata.name === driverPod);
  const [log, room] = await Promise.all([
    driverLogFor(client, viewer, application, now, signal), roomOf(own, async () => nodes?.read(viewer, signal)),
  ]);
  const observed: ObservedApplication = {
    application, now, ...(log.text !== undefined && { driverLog: log.text }), ...(log.isForbidden && { isLogForbidden: true }),
    ...(driver && { driver }), ...(canListPods && { executors }), ...(operator && { operator }), ...(room && { room }),
    isDriverGone: canListPods && !driver && needsDriver(application, now),
  };
  const noDriver = whyNoDriver(observed);
  const mightRead = canListPods && !log.isForbidden;
  const ended = endedDriver(application, pods);
  const attempts = endedWith(ended, attemptsOf(application, knownEnd(observed)));
  const row = applicationRow(application, now, observed);
  return {
    row: ended ? endedRow(ended, row, pods) : row,
    ...explain(observed),
    hasLog: mightRead && !hasNoLog(observed) && await viewer.may({ ...READ_LOG, namespace: ref.namespace, name: driverPod }),
    ...(lacksLoggedCause(application, log.text) && { hasNoLoggedCause: true as const }),
    ...(noDriver !== undefined && { noDriver }),
    states: endedWith(ended, statesOf(application)),
    attempts,
    omittedAttempts: application.status?.omittedAttempts ?? 0,
    pods,
    executorSteps: executorSteps(pods, events, Object.keys(application.status?.executorState ?? {}).length, attempts),
    events,
    owned: owned.sort((a, b) => (a.kind + a.name < b.kind + b.name ? -1 : 1)),
    facts: factsOf(application),
    yaml: yamlText(forPeople(application)),
    ...(driverPod && lastDriver(application) !== 'absent' && { driverPod }),
    ...(application.status?.driverInfo?.webUIIngressAddress && { sparkUi: application.status.driverInfo.webUIIngressAddress }),
    ...historyLink(historyServer, application),
    ...(ended && { hasDriverEnded: true as const }),
    ...(observed.isDriverGone && { isDriverGone: true as const }),
    hidden: reader.hidden,
  };
}

/** Adds the reason that only the events of a pod have. */
function withReason(row: PodRow, views: readonly PodView[]): PodRow {
  const view = views.find(({ metadata }) => metadata.uid === row.uid);
  return view ? { ...row, reason: podReason(view) } : row;
}

/** Orders the driver first, then executors by id: many are created in the same second. */
function comparePods(a: PodRow, b: PodRow): number {
  const number = ({ role, executor }: PodRow) => (role === 'driver' ? -1 : Number(executor ?? Infinity));
  return number(a) - number(b) || (a.created ?? 0) - (b.created ?? 0) || (a.name < b.name ? -1 : 1);
}

/**
 * Reads an application, if the viewer has the permission.
 *
 * @param signal aborts the read
 * @throws {HttpError} 403 or 404
 */
export async function readApplication(
  client: KubeClient, viewer: Viewer, { namespace, name }: ApplicationRef, signal: AbortSignal,
): Promise<WholeApplication> {
  await viewer.require({ ...GET_APPLICATION, namespace, name });
  try {
    return await client.get(SPARK_APPLICATIONS, { namespace, name }, { signal });
  } catch (error) {
    if (isNotFound(error)) throw new HttpError(404, `there is no SparkApplication ${name} in ${namespace}; it might have been deleted`);
    // In the words of a console in a cluster.
    const isOwn = isForbidden(error) && !viewer.session.readOnly;
    if (isOwn) throw new HttpError(403, `you are not allowed to ${rightText({ ...GET_APPLICATION, namespace, name })}`);
    throw error;
  }
}

/** Whether the log of a failed driver does not have the cause; false if that is unknown. */
function lacksLoggedCause(application: WholeApplication, driverLog: string | undefined): boolean {
  const state = stateOf(application);
  if (state !== ApplicationState.FAILED && state !== ApplicationState.FAILING) return false;
  const message = application.status?.applicationState?.errorMessage;
  return isDriverKilled(message) || (driverLog !== undefined && causeInLog(driverLog) === undefined);
}

/** Returns the first pod that fits on no node, with the nodes if the viewer can list them. */
async function roomOf(pods: readonly ReadPod[], read: () => Promise<readonly Node[] | undefined>): Promise<Room | undefined> {
  const found = pods.find(({ spec }) => spec !== undefined);
  if (!found) return undefined;
  const nodes = await read();
  return { role: found.row.role, pod: found.spec!, ...(nodes && { nodes }) };
}

/** Parts of a pod that a detail needs. */
interface ReadPod {
  readonly row: PodRow;
  readonly view: PodView;
  /** Specification of a pod that fits on no node. */
  readonly spec?: PodSpec;
  readonly applicationUid: string | undefined;
}

/**
 * Reads the pods of an application. If there are too many, the first ones might not include the
 * driver, which is then read separately.
 */
async function readPods(reader: AllowedReader, labelSelector: string, driver: string | undefined): Promise<readonly ReadPod[]> {
  const seen = (pod: KubeObject): ReadPod => {
    const view = viewOf(pod);
    const { spec } = pod as KubeObject & { readonly spec?: PodSpec };
    return {
      row: podRow(pod), view, applicationUid: pod.metadata.labels?.[LABEL_APP_UID],
      ...(lacksRoom(view.obstacle?.message) && spec && { spec }),
    };
  };
  const pods = await reader.list(PODS, { labelSelector }, MAX_PODS, seen);
  if (pods.length < MAX_PODS || !driver || pods.some(({ row }) => row.name === driver)) return pods;
  return [...await reader.list(PODS, { labelSelector, fieldSelector: `metadata.name=${driver}` }, 1, seen), ...pods];
}

/**
 * Reads the events of an application and of its driver, but not of an earlier application with the
 * same name. It omits the events of executors: they are many, and the operator reports a summary.
 */
async function readEvents(reader: AllowedReader, { metadata, status }: WholeApplication): Promise<readonly EventRow[]> {
  const created = timeIn(metadata.creationTimestamp) ?? 0;
  let seen: SeenEvent[] = [];
  const read = (fieldSelector: string) => reader.forEach(EVENTS, { fieldSelector }, PAGE_SIZE, (event) => {
    if ((timeIn(event.metadata.creationTimestamp) ?? created) < created) return true;
    // Names do not follow age, so old events are dropped while the list is read.
    const row = eventRow(event);
    const seenEvent = { row, time: preciseTime(event, row.last), version: event.metadata.resourceVersion };
    if (seen.push(seenEvent) >= 2 * MAX_EVENTS) seen = newest(seen);
    return true;
  });
  await read(`involvedObject.uid=${metadata.uid}`);
  const driver = status?.driverInfo?.podName;
  if (driver) await read(`involvedObject.kind=Pod,involvedObject.name=${driver}`);
  return foldedRows(newest(seen));
}

/** Event with its order among others. */
interface SeenEvent extends TimedRow {
  readonly version?: string;
}

/** Returns the newest events, oldest first; those of one second as the API server stored them. */
function newest(events: readonly SeenEvent[]): SeenEvent[] {
  return [...events].sort((a, b) => a.time - b.time || (compareResourceVersions(a.version, b.version) ?? 0)).slice(-MAX_EVENTS);
}

function eventRow(
  { metadata, involvedObject, type, reason, message, count, firstTimestamp, lastTimestamp, ...others }: KubeEvent,
): EventRow {
  const { eventTime } = others as { readonly eventTime?: string };
  const created = timeIn(eventTime) ?? timeIn(metadata.creationTimestamp) ?? 0;
  const first = timeIn(firstTimestamp) ?? created;
  return {
    uid: metadata.uid ?? metadata.name,
    type: truncate(type ?? '', MAX_TEXT),
    reason: truncate(reason ?? '', MAX_TEXT),
    message: truncate(message ?? '', MAX_TEXT),
    count: count ?? 1,
    first,
    last: timeIn(lastTimestamp) ?? first,
    about: truncate(`${involvedObject.kind ?? ''}/${involvedObject.name}`, MAX_TEXT),
  };
}

function historyLink(server: string | undefined, application: WholeApplication): Pick<ApplicationDetail, 'historyServer'> {
  const url = server === undefined ? undefined : historyUrl(server, application);
  return url === undefined ? {} : { historyServer: url };
}

function ownedRow({ kind, metadata }: KubeObject): OwnedRow {
  const created = timeIn(metadata.creationTimestamp);
  return { kind: kind ?? '', name: metadata.name, ...(created !== undefined && { created }) };
}

/** Removes the fields that only machines read, often more than half of the object. */
function forPeople(application: WholeApplication): object {
  const { statusWriters: _, metadata, ...others } = application;
  const { managedFields: __, annotations, ...rest } = metadata as typeof metadata & { readonly managedFields?: unknown };
  const { 'kubectl.kubernetes.io/last-applied-configuration': ___, ...kept } = annotations ?? {};
  const { apiVersion, kind, ...body } = others;
  return { apiVersion, kind, metadata: { ...rest, ...(Object.keys(kept).length > 0 && { annotations: kept }) }, ...body };
}
