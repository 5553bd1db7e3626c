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
  const tag = contentTag(root);
  await buildImage({ name: cluster, tag, file: join(root, 'Dockerfile'), context: root, base: NODE_IMAGE, progress });
  return tag;
}

/** Returns the name of the operator's image, with a tag that changes with the Dockerfile and the files that it copies. */
export function contentTag(root: string): string {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '));
  const hash = createHash('sha256').update(dockerfile);
  for (const file of globSync(copied, { cwd: root }).sort()) hash.update(readFileSync(join(root, file)));
  return `spark.test/operator:${hash.digest('hex').slice(0, 12)}`;
}
