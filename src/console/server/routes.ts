import type { IncomingMessage, ServerResponse } from 'node:http';
import { act, allowedIn } from './actions';
import { readApplication, readDetail } from './detail';
import { HttpError, readJson, sendJson } from './http';
import { streamLog } from './logs';
import type { NodeReader } from './node-reader';
import { keysOf, plannedRuns, spanOf } from './planned-runs';
import { readSkipped } from './skipped-runs';
import { basePathOf, portOf, type SparkUis } from './spark-ui';
import { streamRows } from './stream';
import type { Streams } from './streams';
import type { UsageReader } from './usage';
import { LIST_SCHEDULES, type Authenticate, type Viewer } from './viewer';
import type { ClusterView } from './cluster-view';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import type { FairSemaphore } from '../../kube/fair-semaphore';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import type { ActionRequest, Session } from '../wire';
import type { SkippedRuns } from '../wire-runs';

/** Dependencies of the console's API. */
export interface Api {
  readonly authenticate: Authenticate;
  readonly client: KubeClient;
  readonly view: ClusterView;
  /** Facts about this console, for the page. */
  readonly about: Omit<Session, 'readOnly' | 'user'>;
  /** Proxies to the web UIs of drivers; absent in a console in a cluster. */
  readonly sparkUis?: SparkUis;
  readonly clock: Clock;
  readonly usage: UsageReader;
  readonly nodes: NodeReader;
  /** URL of the History Server. @default - no links */
  readonly historyServer?: string;
  /** Limits for each user. @default - unlimited */
  readonly shares?: {
    readonly requests: FairSemaphore;
    readonly streams: Streams;
  };
}

/** Parsed request. */
interface ApiCall {
  readonly api: Api;
  readonly viewer: Viewer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Path segments that match a star. */
  readonly parts: readonly string[];
}

interface Route {
  readonly method: 'GET' | 'POST';
  /** A star matches one path segment. */
  readonly path: string;
  /** Whether the answer can last for hours. */
  readonly isStream?: true;
  readonly answer: (call: ApiCall) => Promise<void> | void;
}

const ROUTES: readonly Route[] = [
  {
    method: 'GET', path: 'session', answer: ({ api, viewer, response }) => sendJson(
      response, 200, { ...api.about, ...viewer.session } satisfies Session,
    ),
  },
  {
    method: 'GET', path: 'rows', isStream: true,
    answer: ({ api, viewer, response, signal }) => streamRows(api.view, viewer, response, api.clock, signal),
  },
  {
    method: 'GET', path: 'allowed/*',
    answer: async ({ viewer, response, parts: [namespace] }) => sendJson(response, 200, await allowedIn(viewer, namespace!)),
  },
  {
    method: 'GET', path: 'applications/*/*',
    async answer({ api, viewer, response, signal, parts: [namespace, name] }) {
      const { historyServer, nodes, view } = api;
      sendJson(response, 200, await readDetail(api.client, viewer, { namespace: namespace!, name: name! }, {
        now: api.clock.now(), signal, nodes, operatorOf: (application) => view.operatorOf(application),
        ...(historyServer !== undefined && { historyServer }),
      }));
    },
  },
  {
    method: 'GET', path: 'applications/*/*/usage',
    async answer({ api, viewer, response, signal, parts: [namespace, name] }) {
      sendJson(response, 200, await api.usage.read(viewer, { namespace: namespace!, name: name! }, signal));
    },
  },
  {
    method: 'GET', path: 'applications/*/*/log', isStream: true,
    answer: ({ api, viewer, response, query, signal, parts: [namespace, name] }) => (
      streamLog(api.client, viewer, { namespace: namespace!, name: name! }, query, response, api.clock, signal)
    ),
  },
  { method: 'POST', path: 'applications/*/*/spark-ui', answer: openSparkUi },
  { method: 'GET', path: 'planned', answer: planned },
  {
    method: 'GET', path: 'schedules/*/*/skipped',
    async answer({ api: { client, view }, viewer, response, signal, parts: [namespace, name] }) {
      const schedule = view.schedule(`${namespace}/${name}`);
      const isSeen = schedule && await seesSchedule(viewer, schedule);
      const skipped: SkippedRuns = isSeen ? await readSkipped(client, viewer, schedule, signal) : { runs: [], hidden: [] };
      sendJson(response, 200, skipped);
    },
  },
  {
    method: 'POST', path: '*/*/*/*',
    async answer({ api, viewer, response, request, parts: [kind, namespace, name, action] }) {
      const uid = uidOf(await readJson(request));
      await act(
        api.client, viewer, kind!, { namespace: namespace!, name: name!, ...(uid !== undefined && { uid }) }, action!,
        new Date(api.clock.now()),
      );
      sendJson(response, 200, {});
    },
  },
];

/**
 * Authenticates and answers a request of the page.
 *
 * @param signal aborted when the client disconnects, which cancels the work for it
 * @throws {HttpError}
 */
export async function answerApi(
  api: Api, request: IncomingMessage, response: ServerResponse, path: string, query: URLSearchParams, signal: AbortSignal,
): Promise<void> {
  const viewer = await api.authenticate(request, signal);
  const given = path.slice('/api/'.length).split('/');
  const matches = ROUTES.flatMap((route) => {
    const parts = match(route.path.split('/'), given);
    return parts ? [{ route, parts }] : [];
  });
  if (matches.length === 0) throw new HttpError(404, 'this path does not exist');
  const found = matches.find(({ route }) => route.method === request.method);
  if (!found) throw new HttpError(405, `only ${matches.map(({ route }) => route.method).join(', ')} is allowed here`);
  const { session: { user = '' } } = viewer;
  const leave = found.route.isStream
    ? api.shares?.streams.enter(user, () => response.destroy())
    : await api.shares?.requests.enter(user, signal);
  try {
    await found.route.answer({ api, viewer, request, response, query, signal, parts: found.parts });
  } finally {
    leave?.();
  }
}

/** Returns the path segments that match stars; undefined if the path does not match. */
function match(pattern: readonly string[], given: readonly string[]): string[] | undefined {
  if (pattern.length !== given.length || pattern.some((part, index) => part !== '*' && part !== given[index])) return undefined;
  try {
    return given.filter((_, index) => pattern[index] === '*').map(decodeURIComponent);
  } catch {
    throw new HttpError(400, 'the path has an invalid percent-encoding');
  }
}

/** Returns the uid of the object that the page showed. */
function uidOf(body: unknown): string | undefined {
  const { uid } = (body ?? {}) as Partial<ActionRequest>;
  if (uid !== undefined && typeof uid !== 'string') throw new HttpError(400, 'uid must be a string');
  return uid;
}

async function openSparkUi(
  { api: { client, sparkUis }, viewer, request, response, signal, parts: [namespace, name] }: ApiCall,
): Promise<void> {
  await readJson(request);
  if (!sparkUis || viewer.session.readOnly) {
    throw new HttpError(403, 'this console does not proxy Spark UIs; use sparkctl ui, or the Ingress of the application');
  }
  const { spec, status } = await readApplication(client, viewer, { namespace: namespace!, name: name! }, signal);
  const port = portOf(spec.sparkConf);
  const pod = status?.driverInfo?.podName;
  if (port === undefined) throw new HttpError(409, 'the application has no Spark UI: its sparkConf sets spark.ui.enabled=false');
  if (!pod) throw new HttpError(409, 'the application has no driver yet, and so no Spark UI');
  // The server has already checked that it is a loopback name.
  const hostname = request.headers.host!.replace(/:\d+$/, '');
  sendJson(response, 200, {
    url: await sparkUis.urlOf({ namespace: namespace!, pod, port, basePath: basePathOf(status.driverInfo.webUIIngressAddress) }, hostname),
  });
}

/** Whether a viewer can see a schedule; the API server has checked that for a local console. */
async function seesSchedule(viewer: Viewer, { metadata: { namespace } }: ScheduledSparkApplication): Promise<boolean> {
  return !viewer.session.readOnly || await viewer.may(LIST_SCHEDULES) || viewer.may({ ...LIST_SCHEDULES, namespace });
}

async function planned({ api: { view }, viewer, response, query }: ApiCall): Promise<void> {
  const span = spanOf(query);
  const schedules = keysOf(query).flatMap((key) => {
    const schedule = view.schedule(key);
    return schedule ? [{ key, schedule }] : [];
  });
  const allowed = await Promise.all(schedules.map(async (each) => {
    return await seesSchedule(viewer, each.schedule) ? [each] : [];
  }));
  sendJson(
    response, 200,
    await plannedRuns(Object.fromEntries(allowed.flat().map(({ key, schedule }) => [key, schedule])), span, () => response.destroyed),
  );
}
