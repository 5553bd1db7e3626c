import { randomBytes } from 'node:crypto';
import type { ApiServer } from '../../helpers/api-server';
import type { KindDefinition } from '../../../src/api/kind';
import { SPARK_APPLICATION } from '../../../src/api/spark-application';
import { customResourceDefinition } from '../../../src/rules/custom-resource-definition';
import { schemaOfKind } from '../../../src/rules/schemas';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The CRD of a kind, of SparkApplications if none is given; a copy. */
export function shippedDefinition(kind: KindDefinition = SPARK_APPLICATION): any {
  return structuredClone(customResourceDefinition(kind, schemaOfKind(kind)));
}

/** A group of one test file: CRDs belong to the whole cluster, and other test files use the real one at the same time. */
export function ownGroup(name: string): string {
  return `${name}-${randomBytes(3).toString('hex')}.sparkoperator.test`;
}

/** The CRD in another group, without its short names, which would be there twice. */
export function definitionIn(group: string, kind?: KindDefinition): any {
  const definition = shippedDefinition(kind);
  const { shortNames: _, ...names } = definition.spec.names;
  return { ...definition, metadata: { name: `${definition.spec.names.plural}.${group}` }, spec: { ...definition.spec, group, names } };
}

/** Creates a CRD and waits until the API server serves what it defines. */
export async function define(api: ApiServer, definition: any): Promise<void> {
  await api.must('POST', DEFINITIONS, definition);
  const { name } = definition.metadata;
  for await (const { object } of api.watch(`${DEFINITIONS}?watch=true&timeoutSeconds=30&fieldSelector=metadata.name%3D${name}`)) {
    if (object.status?.conditions?.some((condition: any) => condition.type === 'Established' && condition.status === 'True')) return;
  }
  throw new Error(`the CRD ${name} was not established in 30 s`);
}

/** Removes a CRD and all objects of its kind. Resolves when it is gone: until then no other one of its name is taken. */
export async function undefine(api: ApiServer, definition: any): Promise<void> {
  const path = `${DEFINITIONS}/${definition.metadata.name}`;
  await api.must('DELETE', path);
  for (const end = Date.now() + 30_000; (await api.call('GET', path)).code !== 404;) {
    if (Date.now() > end) throw new Error(`the CRD ${definition.metadata.name} is still there after 30 s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Of the Gateway API only that there is such a kind. */
export const HTTP_ROUTES = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'httproutes.gateway.networking.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' } },
  spec: {
    group: 'gateway.networking.k8s.io',
    scope: 'Namespaced',
    names: { kind: 'HTTPRoute', plural: 'httproutes', singular: 'httproute' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } } }],
  },
};

/** Milliseconds beyond a test's own time, for tests that might have to wait for another file's. */
export const WAIT_FOR_OTHERS = 300_000;

/** Runs something that no other test file must do at the same time, as files that run side by side share the cluster. It waits for the others: see `WAIT_FOR_OTHERS`. */
export async function exclusively(api: ApiServer, name: string, run: () => Promise<void>): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps';
  const [apiVersion, kind] = ['v1', 'ConfigMap'];
  while ((await api.call('POST', path, { apiVersion, kind, metadata: { name } })).code === 409) {
    for await (const { type } of api.watch(`${path}?watch=true&timeoutSeconds=10&fieldSelector=metadata.name%3D${name}`)) if (type === 'DELETED') break;
  }
  try {
    await run();
  } finally {
    await api.must('DELETE', `${path}/${name}`);
  }
}
