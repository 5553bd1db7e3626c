/*
 * `npm run generate:kubernetes` writes src/k8s/index.ts: the structs of Kubernetes that our kinds embed, from the OpenAPI document of
 * the local cluster's API server. `npm run generate` then takes them into the CRDs.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { down, kubectl, terminalProgress, up } from '../local-cluster/index.ts';
import { ROOTS } from './roots.ts';
import { structsFile } from './structs.ts';

const CLUSTER = 'kubernetes-types';
const progress = terminalProgress();

await up({ name: CLUSTER, controlPlane: true, progress });
try {
  const api = JSON.parse(await kubectl(CLUSTER, ['get', '--raw', '/openapi/v2']));
  writeFileSync(join(import.meta.dirname, '../../src/k8s/index.ts'), structsFile(api, ROOTS));
  console.log('wrote src/k8s/index.ts; now run `npm run generate`');
} finally {
  await down({ name: CLUSTER, progress });
}
