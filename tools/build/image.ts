import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildImage, NODE_IMAGE, type Progress } from '../local-cluster/index.ts';

/**
 * Builds the operator's image from the Dockerfile and loads it into a local cluster.
 *
 * @returns its name; the tag changes with the content, so that a Deployment that is applied again rolls out what is new
 */
export async function operatorImage(root: string, cluster: string, progress: Progress): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['Dockerfile', 'runtime/operator.cjs']) hash.update(readFileSync(join(root, file)));
  const tag = `spark.test/operator:${hash.digest('hex').slice(0, 12)}`;
  await buildImage({ name: cluster, tag, file: join(root, 'Dockerfile'), context: root, buildArgs: { BASE_IMAGE: NODE_IMAGE }, progress });
  return tag;
}
