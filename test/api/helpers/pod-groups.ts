import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ApiServer } from '../../helpers/api-server';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The PodGroups of a scheduler, as its project publishes them. */
export function podGroupDefinition(group: 'scheduling.volcano.sh' | 'scheduling.x-k8s.io'): any {
  return parse(readFileSync(join(__dirname, `../../fixtures/schedulers/podgroups.${group}.yaml`), 'utf8'));
}

/** Defines a kind unless another test file has. It stays: others may use it at the same time. */
export async function defineOnce(api: ApiServer, definition: any): Promise<void> {
  const { code, body } = await api.call('POST', DEFINITIONS, definition);
  if (code !== 201 && code !== 409) throw new Error(`the CRD ${definition.metadata.name} is not taken: ${code} ${body.message}`);
  for await (const { object } of api.watch(`${DEFINITIONS}?watch=true&timeoutSeconds=30&fieldSelector=metadata.name%3D${definition.metadata.name}`)) {
    if (object.status?.conditions?.some((condition: any) => condition.type === 'Established' && condition.status === 'True')) return;
  }
  throw new Error(`the CRD ${definition.metadata.name} was not established in 30 s`);
}
