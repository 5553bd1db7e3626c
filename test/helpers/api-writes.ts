/*
 * Writes to the cluster of the tests by HTTP. `kubectl apply` takes over a second of CPU time, as it
 * reads the schema of all kinds first.
 */
import { parseAllDocuments } from 'yaml';
import { ApiServer, cluster } from './api-server';

type Api = Pick<ApiServer, 'must'>;

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The kinds of each version that was asked for. */
const resources = new Map<string, readonly Resource[]>();

/** Returns the objects of a text of YAML or JSON, those of lists one by one. */
export function objectsOf(manifests: string | object | readonly object[]): any[] {
  const all = typeof manifests === 'string' ? parseAllDocuments(manifests).map((document) => document.toJS()) : [manifests].flat();
  return all.filter((object) => object !== null).flatMap((object: any) => (object.kind === 'List' ? object.items : [object]));
}

/**
 * Applies objects on the side of the server, one after the other. Fields of other managers are taken over.
 *
 * @throws {Error} with the words of the API server, if it rejects an object
 */
export async function applyObjects(objects: readonly any[], api: Api = cluster()): Promise<void> {
  for (const object of objects) {
    const query = 'fieldManager=tests&force=true&fieldValidation=Strict';
    await api.must('PATCH', `${await pathOf(object, api)}?${query}`, object, 'application/apply-patch+yaml');
  }
}

/** Returns a token of a service account that lasts an hour. */
export async function createToken(namespace: string, account: string, seconds = 3_600, api: Api = cluster()): Promise<string> {
  const spec = { expirationSeconds: seconds };
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  return (await api.must('POST', `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`, request)).status.token;
}

async function pathOf({ apiVersion, kind, metadata: { name, namespace = 'default' } }: any, api: Api): Promise<string> {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const known = () => resources.get(group)?.find((each) => each.kind === kind && !each.name.includes('/'));
  if (!known()) resources.set(group, (await api.must('GET', group)).resources);
  const resource = known();
  if (!resource) throw new Error(`the API server has no kind ${kind} in ${apiVersion}`);
  return `${group}${resource.namespaced ? `/namespaces/${namespace}` : ''}/${resource.name}/${name}`;
}
