import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildImage, NODE_IMAGE, type Progress } from '../local-cluster/index.ts';

/**
 * Builds the operator's image from the Dockerfile and loads it into a local cluster.
 *
 * @returns its name; the tag changes with the content, so that a repeated installation rolls it out
 */
export async function operatorImage(root: string, cluster: string, progress: Progress): Promise<string> {
  const tag = contentTag(root, 'operator');
  await buildImage({ name: cluster, tag, file: join(root, 'Dockerfile'), context: root, progress, buildArgs: { BASE_IMAGE: NODE_IMAGE } });
  return tag;
}

/** Returns the name of an image, with a tag that changes with its files. */
export function contentTag(root: string, name: string): string {
  const hash = createHash('sha256');
  for (const file of globSync(['Dockerfile', 'runtime/operator.cjs', 'runtime/part-*operator*.cjs'], { cwd: root }).sort()) hash.update(readFileSync(join(root, file)));
  return `spark.test/${name}:${hash.digest('hex').slice(0, 12)}`;
}
