import type { IncomingMessage, ServerResponse } from 'node:http';
import { act, allowedIn } from './actions';
import { readApplication, readDetail } from './detail';
import { HttpError, readJson, sendJson } from './http';
import { streamLog } from './logs';
import { keysOf, plannedRuns, spanOf } from './planned';
import { basePathOf, portOf, type SparkUis } from './spark-ui';
import { streamRows } from './stream';
import type { Streams } from './streams';
import { LIST_SCHEDULES, type Authenticate, type Viewer } from './viewer';
import type { ClusterView } from './world';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import type { FairSemaphore } from '../../kube/fair-semaphore';
import type { ActionRequest, Session } from '../wire';

/** What the API is served from. */
export interface Api {
  readonly authenticate: Authenticate;
  readonly client: KubeClient;
  readonly view: ClusterView;
  /** What the page is told of this console. */
  readonly about: Omit<Session, 'readOnly' | 'user'>;
  /** Ways to the web UIs of drivers; absent where nothing but this server is to be reached. */
  readonly sparkUis?: SparkUis;
  readonly clock: Clock;
  /** How much each user may have of what all share. @default - as much as they want */
  readonly shares?: {
    readonly requests: FairSemaphore;
    readonly streams: Streams;
  };
}

/** A request, taken apart. */
interface Asked {
  readonly api: Api;
  readonly viewer: Viewer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** The parts of the path that stand for something. */
  readonly parts: readonly string[];
}

interface Route {
  readonly method: 'GET' | 'POST';
  /** A star stands for one part. */
  readonly path: string;
  /** Whether the answer may last for hours. */
  readonly isStream?: true;
  readonly answer: (asked: Asked) => Promise<void> | void;
}

const ROUTES: readonly Route[] = [
  { method: 'GET', path: 'session', answer: ({ api, viewer, response }) => sendJson(response, 200, { ...api.about, ...viewer.session } satisfies Session) },
  {
    method: 'GET', path: 'rows', isStream: true,
    answer: ({ api, viewer, request, response, signal }) => streamRows(api.view, viewer, request, response, api.clock, signal),
  },
  {
    method: 'GET', path: 'allowed/*',
    answer: async ({ viewer, response, parts: [namespace] }) => sendJson(response, 200, await allowedIn(viewer, namespace!)),
  },
  {
    method: 'GET', path: 'applications/*/*',
    async answer({ api, viewer, response, signal, parts: [namespace, name] }) {
      sendJson(response, 200, await readDetail(api.client, viewer, { namespace: namespace!, name: name! }, api.clock.now(), signal));
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
    method: 'POST', path: '*/*/*/*',
    async answer({ api, viewer, response, request, parts: [kind, namespace, name, action] }) {
      const uid = uidIn(await readJson(request));
      await act(api.client, viewer, kind!, { namespace: namespace!, name: name!, ...(uid !== undefined && { uid }) }, action!, new Date(api.clock.now()));
      sendJson(response, 200, {});
    },
  },
];

/**
 * Answers a request of the page. Nothing is answered before it is known who asks.
 *
 * @param signal aborted when the client has gone: what was begun for it is given up
 * @throws {HttpError}
 */
export async function answerApi(api: Api, request: IncomingMessage, response: ServerResponse, path: string, query: URLSearchParams, signal: AbortSignal): Promise<void> {
  const viewer = await api.authenticate(request, signal);
  const given = path.slice('/api/'.length).split('/');
  const fitting = ROUTES.flatMap((route) => {
    const parts = match(route.path.split('/'), given);
    return parts ? [{ route, parts }] : [];
  });
  if (fitting.length === 0) throw new HttpError(404, 'there is nothing here');
  const found = fitting.find(({ route }) => route.method === request.method);
  if (!found) throw new HttpError(405, `only ${fitting.map(({ route }) => route.method).join(', ')} is answered here`);
  const { session: { user = '' } } = viewer;
  const leave = found.route.isStream ? api.shares?.streams.enter(user, () => response.destroy()) : await api.shares?.requests.enter(user, signal);
  try {
    await found.route.answer({ api, viewer, request, response, query, signal, parts: found.parts });
  } finally {
    leave?.();
  }
}

/** The parts that stars stand for; undefined if the path is another one. */
function match(pattern: readonly string[], given: readonly string[]): string[] | undefined {
  if (pattern.length !== given.length || pattern.some((part, index) => part !== '*' && part !== given[index])) return undefined;
  try {
    return given.filter((_, index) => pattern[index] === '*').map(decodeURIComponent);
  } catch {
    throw new HttpError(400, 'the path is not escaped as it has to be');
  }
}

/** Which object the page means, of all that have the name in the course of time. */
function uidIn(body: unknown): string | undefined {
  const { uid } = (body ?? {}) as Partial<ActionRequest>;
  if (uid !== undefined && typeof uid !== 'string') throw new HttpError(400, 'uid must be a text');
  return uid;
}

async function openSparkUi({ api: { client, sparkUis }, viewer, request, response, signal, parts: [namespace, name] }: Asked): Promise<void> {
  await readJson(request);
  if (!sparkUis || viewer.session.readOnly) throw new HttpError(403, 'this console does not lead to Spark UIs; use sparkctl ui, or the Ingress of the application');
  const { spec, status } = await readApplication(client, viewer, { namespace: namespace!, name: name! }, signal);
  const port = portOf(spec.sparkConf);
  const pod = status?.driverInfo?.podName;
  if (port === undefined) throw new HttpError(409, 'the application has no Spark UI: its sparkConf says spark.ui.enabled=false');
  if (!pod) throw new HttpError(409, 'there is no driver yet, and so no Spark UI');
  // A name of this machine, or the request would not have come so far.
  const hostname = request.headers.host!.replace(/:\d+$/, '');
  sendJson(response, 200, { url: await sparkUis.urlOf({ namespace: namespace!, pod, port, basePath: basePathOf(status.driverInfo.webUIIngressAddress) }, hostname) });
}

async function planned({ api: { view: world }, viewer, response, query }: Asked): Promise<void> {
  const span = spanOf(query);
  const schedules = keysOf(query).flatMap((key) => {
    const schedule = world.schedule(key);
    return schedule ? [{ key, schedule }] : [];
  });
  const allowed = await Promise.all(schedules.map(async (each) => {
    const { namespace } = each.schedule.metadata;
    return !viewer.session.readOnly || await viewer.may(LIST_SCHEDULES) || await viewer.may({ ...LIST_SCHEDULES, namespace }) ? [each] : [];
  }));
  sendJson(response, 200, await plannedRuns(Object.fromEntries(allowed.flat().map(({ key, schedule }) => [key, schedule])), span, () => response.destroyed));
}
