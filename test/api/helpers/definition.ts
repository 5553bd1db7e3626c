import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ApiServer } from './api-server';
import { SPARK_APPLICATION } from '../../../src/api/spark-application';
import { crdFile } from '../../../src/constructs/_schema';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The CRD of SparkApplications as it is shipped. */
export function shippedDefinition(): any {
  return parse(readFileSync(crdFile(SPARK_APPLICATION), 'utf8'));
}

/** A group of one test file: CRDs belong to the whole cluster, and other test files use the real one at the same time. */
export function ownGroup(name: string): string {
  return `${name}-${randomBytes(3).toString('hex')}.sparkoperator.test`;
}

/** The CRD in another group, without its short names, which would be there twice. */
export function definitionIn(group: string): any {
  const definition = shippedDefinition();
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

/** Removes a CRD and all objects of its kind. */
export async function undefine(api: ApiServer, definition: any): Promise<void> {
  await api.must('DELETE', `${DEFINITIONS}/${definition.metadata.name}`);
}
