import { parse } from 'yaml';
import type { Candidate } from './candidates';
import type { ClusterValues, Cluster } from '../cluster';
import type { Context } from '../command';
import { NAMESPACES } from '../../model/resources';
import { KINDS, type KindName, type Suspendable } from '../target';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';

/** Milliseconds for a request: a user waits for the completion. */
const TIMEOUT = 1_500;

/** Maximum number of candidates. */
const MAX_NAMES = 500;

/** Dependencies of reading names. */
export type NamesContext = Pick<Context, 'connect' | 'io' | 'signal'>;

/**
 * Lists the objects of kinds in the namespace of the command line. A kind that cannot be listed has
 * none.
 *
 * @param onlySuspended whether to omit objects that are not suspended @default false
 * @returns the candidates of each kind, in the given order
 */
export async function objectNames(
  kinds: readonly KindName[], values: ClusterValues, context: NamesContext, onlySuspended = false,
): Promise<readonly Candidate[][]> {
  const isOffered = ({ spec }: Suspendable) => !onlySuspended || spec?.suspend === true;
  return withCluster(values, context, (cluster) => Promise.all(kinds.map((kind) => (
    namesOf(cluster, KINDS[kind], context.signal, { namespace: cluster.namespace, isOffered }).catch(() => [])
  ))));
}

/** Lists the namespaces. */
export async function namespaceNames(values: ClusterValues, context: NamesContext): Promise<Candidate[]> {
  return withCluster(values, context, (cluster) => namesOf(cluster, NAMESPACES, context.signal));
}

/** Lists the contexts of the kubeconfig. */
export async function contextNames(values: ClusterValues, { connect, io }: NamesContext): Promise<Candidate[]> {
  const { kubeconfig = [], client } = await connect({ kubeconfig: values.kubeconfig, namespace: undefined, context: undefined });
  client.close();
  const names = await Promise.all(kubeconfig.map(async (file) => {
    const { contexts = [] } = parse(await io.readFile(file)) as { readonly contexts?: readonly { readonly name: string }[] };
    return contexts.map(({ name }) => name);
  }));
  return [...new Set(names.flat())].map((text) => ({ text }));
}

/** Returns the Spark properties for which there are fields. */
export async function propertyNames(): Promise<Candidate[]> {
  const { RESOLVED_FIELDS } = await import('../../plan/fields');
  const names = RESOLVED_FIELDS.flatMap(({ property, ofBothRoles }) => [property, ofBothRoles].filter((name) => name !== undefined));
  return [...new Set(names)].sort().map((name) => ({ text: name.endsWith('.') ? name : `${name}=` }));
}

async function withCluster<R>(values: ClusterValues, { connect }: NamesContext, read: (cluster: Cluster) => Promise<R>): Promise<R> {
  const cluster = await connect(values);
  try {
    return await read(cluster);
  } finally {
    cluster.client.close();
  }
}

async function namesOf(
  { client }: Cluster, resource: Resource<KubeObject>, signal: AbortSignal,
  { namespace, isOffered = () => true }: { readonly namespace?: string; readonly isOffered?: (object: KubeObject) => boolean } = {},
): Promise<Candidate[]> {
  const { items } = await client.listPage(resource, { namespace, limit: MAX_NAMES, timeout: TIMEOUT, attempts: 1, signal });
  return items.filter(isOffered).map((object) => ({ text: object.metadata.name, meaning: stateIn(object) }));
}

/** Returns the state of an application or a Spark Connect server. */
function stateIn(
  { status }: KubeObject & { readonly status?: { readonly applicationState?: { readonly state?: string }; readonly state?: string } },
): string | undefined {
  return status?.applicationState?.state ?? status?.state;
}
