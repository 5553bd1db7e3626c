/*
 * Reads of the cluster of the tests by HTTP. A run of kubectl takes a fifth of a second of CPU, and
 * tests read thousands of times.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';

const CORE = '/api/v1';
const OWN = '/apis/sparkoperator.k8s.io';
/** Collections by their names in the plural, with the other names that tests use. kubectl reads those that are not here. */
const COLLECTIONS: readonly (readonly [prefix: string, plural: string, ...others: string[]])[] = [
  ...['pod', 'service', 'configmap', 'secret', 'event', 'serviceaccount', 'persistentvolumeclaim', 'resourcequota'].map((name) => [CORE, `${name}s`, name] as const),
  [CORE, 'endpoints'],
  ['/apis/apps/v1', 'deployments', 'deployment'],
  ['/apis/coordination.k8s.io/v1', 'leases', 'lease'],
  ['/apis/networking.k8s.io/v1', 'ingresses', 'ingress'],
  ['/apis/networking.k8s.io/v1', 'networkpolicies', 'networkpolicy'],
  ['/apis/policy/v1', 'poddisruptionbudgets', 'poddisruptionbudget'],
  ['/apis/rbac.authorization.k8s.io/v1', 'roles', 'role'],
  ['/apis/rbac.authorization.k8s.io/v1', 'rolebindings', 'rolebinding'],
  [`${OWN}/v1beta2`, 'sparkapplications', 'sparkapplication', 'sparkapp'],
  [`${OWN}/v1beta2`, 'scheduledsparkapplications', 'scheduledsparkapplication', 'scheduledsparkapp'],
  [`${OWN}/v1alpha1`, 'sparkconnects', 'sparkconnect'],
];

/** Returns the paths of collections, such as `pods,services`; undefined if kubectl has to read them. */
export function pathsOf(namespace: string, kinds: string): string[] | undefined {
  // In a cluster of the user's own, only kubectl knows how to sign in.
  if (process.env.TEST_CONTEXT || !process.env.KUBECONFIG || namespace === '') return undefined;
  const found = kinds.split(',').map((kind) => COLLECTIONS.find(([, ...names]) => names.includes(kind)));
  return found.every((each) => each !== undefined) ? found.map(([prefix, plural]) => `${prefix}/namespaces/${namespace}/${plural}`) : undefined;
}

/** Reads an object as kubectl prints it. */
export async function readObject(path: string): Promise<any> {
  return asPrinted(await read(path));
}

/** Reads the objects of collections as kubectl prints them. */
export async function readAll(paths: readonly string[], selector: string): Promise<any[]> {
  const lists = await Promise.all(paths.map((path) => read(`${path}?labelSelector=${encodeURIComponent(selector)}`)));
  return lists.flatMap(({ apiVersion, kind, items }) => items.map((item: any) => asPrinted({ apiVersion, kind: kind.replace(/List$/, ''), ...item })));
}

/**
 * Reports the states of one object, first the one that it has, until `find` makes something of one or the time is up. There
 * is no state that it misses but those that are over before it begins.
 */
export async function followObject<T>(collection: string, name: string, find: (object: any) => T | undefined, seconds: number): Promise<T | undefined> {
  const signal = AbortSignal.timeout(seconds * 1000);
  for await (const object of statesOf(collection, name, signal)) {
    const found = find(object);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function* statesOf(collection: string, name: string, signal: AbortSignal): AsyncGenerator<any> {
  const selection = `${collection}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  while (!signal.aborted) {
    try {
      const { items, metadata } = await read(selection, signal);
      yield* items;
      for await (const { type, object } of eventsOf(`${selection}&watch=true&allowWatchBookmarks=true&resourceVersion=${metadata.resourceVersion}`, signal)) {
        if (type === 'ERROR') break;
        if (type !== 'BOOKMARK') yield object;
      }
    } catch (error) {
      // The API server can end a watch at any time, and rejects it while a CRD is applied again.
      if (!signal.aborted && !isOfNetwork(error)) throw error;
    }
    await delay(500, undefined, { signal }).catch(() => {});
  }
}

/** The events of a watch. */
async function* eventsOf(path: string, signal: AbortSignal): AsyncGenerator<{ readonly type: string; readonly object: any }> {
  const response = await send(path, signal);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    for await (const chunk of response) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line);
    }
  } finally {
    response.destroy();
  }
}

class ReadError extends Error {}

/** Whether the cluster, and not the test, is why a read has failed. */
function isOfNetwork(error: unknown): boolean {
  return error instanceof ReadError || (error as NodeJS.ErrnoException).code !== undefined;
}

async function read(path: string, signal?: AbortSignal): Promise<any> {
  const response = await send(path, signal);
  return JSON.parse(Buffer.concat(await response.toArray()).toString());
}

/** @throws ReadError with the words of the API server */
async function send(path: string, signal?: AbortSignal): Promise<IncomingMessage> {
  const { server, agent } = connection();
  const request = (server.startsWith('https:') ? httpsRequest : httpRequest)(`${server}${path}`, { agent: server.startsWith('https:') ? agent : undefined, signal });
  request.end();
  const [response] = await once(request, 'response') as [IncomingMessage];
  if (response.statusCode! < 300) return response;
  const text = Buffer.concat(await response.toArray()).toString();
  throw new ReadError(`GET ${path} ended with ${response.statusCode}: ${messageOf(text)}`);
}

function messageOf(text: string): string {
  try {
    return JSON.parse(text).message;
  } catch {
    return text;
  }
}

/** kubectl leaves out who has written which field. */
function asPrinted(object: any): any {
  delete object.metadata.managedFields;
  return object;
}

let known: { readonly server: string; readonly agent: Agent } | undefined;

/** The cluster of KUBECONFIG, with the certificate of its user. */
function connection(): NonNullable<typeof known> {
  if (known) return known;
  const { clusters: [{ cluster }], users: [{ user }] } = parse(readFileSync(process.env.KUBECONFIG!, 'utf8'));
  const pem = (from: Record<string, string>, field: string) => {
    if (from[`${field}-data`]) return Buffer.from(from[`${field}-data`]!, 'base64');
    return from[field] ? readFileSync(from[field]) : undefined;
  };
  known = {
    server: cluster.server,
    agent: new Agent({ ca: pem(cluster, 'certificate-authority'), cert: pem(user, 'client-certificate'), key: pem(user, 'client-key') }),
  };
  return known;
}
