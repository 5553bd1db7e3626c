import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildImage, NODE_IMAGE, SPARK_IMAGE, type Progress } from '../local-cluster/index.ts';

/**
 * Builds the operator's image from the Dockerfile and loads it into a local cluster.
 *
 * @returns its name; the tag changes with the content, so that a Deployment that is applied again rolls out what is new
 */
export async function operatorImage(root: string, cluster: string, progress: Progress): Promise<string> {
  return await build(root, cluster, progress, { name: 'operator', buildArgs: { BASE_IMAGE: NODE_IMAGE } });
}

/** The same with Spark, which spark-submit needs: the Dockerfile's other target. */
export async function sparkSubmitImage(root: string, cluster: string, progress: Progress): Promise<string> {
  return await build(root, cluster, progress, { name: 'operator-spark-submit', target: 'spark-submit', buildArgs: { BASE_IMAGE: NODE_IMAGE, SPARK_IMAGE } });
}

interface Variant {
  readonly name: string;
  readonly target?: string;
  readonly buildArgs: Readonly<Record<string, string>>;
}

async function build(root: string, cluster: string, progress: Progress, { name, ...variant }: Variant): Promise<string> {
  const tag = contentTag(root, name);
  await buildImage({ name: cluster, tag, file: join(root, 'Dockerfile'), context: root, progress, ...variant });
  return tag;
}

/** Returns the name of an image, with a tag that changes with what the Dockerfile puts in. */
export function contentTag(root: string, name: string): string {
  const hash = createHash('sha256');
  for (const file of globSync(['Dockerfile', 'runtime/operator.cjs', 'runtime/part-*operator*.cjs'], { cwd: root }).sort()) hash.update(readFileSync(join(root, file)));
  return `spark.test/${name}:${hash.digest('hex').slice(0, 12)}`;
}
