/*
 * Reads of the cluster of the tests by HTTP. A run of kubectl takes a fifth of a second of CPU, and
 * tests read thousands of times.
 */
import { ApiServer, canCall, cluster } from './api-server';

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
  if (!canCall() || namespace === '') return undefined;
  const found = kinds.split(',').map((kind) => COLLECTIONS.find(([, ...names]) => names.includes(kind)));
  return found.every((each) => each !== undefined) ? found.map(([prefix, plural]) => `${prefix}/namespaces/${namespace}/${plural}`) : undefined;
}

/** Reads an object as kubectl prints it. */
export async function readObject(path: string, api: Pick<ApiServer, 'must'> = cluster()): Promise<any> {
  return asPrinted(await api.must('GET', path));
}

/** Reads the objects of collections as kubectl prints them. */
export async function readAll(paths: readonly string[], selector: string, api: Pick<ApiServer, 'must'> = cluster()): Promise<any[]> {
  const lists = await Promise.all(paths.map((path) => api.must('GET', `${path}?labelSelector=${encodeURIComponent(selector)}`)));
  return lists.flatMap(({ apiVersion, kind, items }) => items.map((item: any) => asPrinted({ apiVersion, kind: kind.replace(/List$/, ''), ...item })));
}

/**
 * Reports the states of one object, first the one that it has, until `find` makes something of one or the time is up. There
 * is no state that it misses but those that are over before it begins.
 */
export async function followObject<T>(
  collection: string, name: string, find: (object: any) => T | undefined, seconds: number, api: Pick<ApiServer, 'follow'> = cluster(),
): Promise<T | undefined> {
  const selection = `${collection}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  for await (const { type, object } of api.follow(selection, Date.now() + seconds * 1000)) {
    for (const state of type === 'LISTED' ? object.items : [object]) {
      const found = find(state);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** kubectl leaves out who has written which field. */
function asPrinted(object: any): any {
  delete object.metadata.managedFields;
  return object;
}
