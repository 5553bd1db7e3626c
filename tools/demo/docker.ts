import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentTag } from '../build/image.ts';
import { ToolError, type Progress } from '../local-cluster/index.ts';
import { capture, run } from '../local-cluster/run.ts';

/** The cluster that `--kind` creates. */
export const KIND_CLUSTER = 'spark-operator-demo';

/** Images of the demo, by their names. */
export interface DemoImages {
  readonly operatorImage: string;
  readonly sparkImage: string;
}

/** Returns the commands that load images into the cluster of a context; undefined if the cluster is of an unknown kind. */
export function loadCommands(context: string, images: readonly string[]): readonly (readonly string[])[] | undefined {
  const [, tool, name] = /^(kind|k3d)-(.+)$/.exec(context) ?? [];
  if (tool === 'kind') return [['kind', 'load', 'docker-image', ...images, '--name', name!]];
  if (tool === 'k3d') return [['k3d', 'image', 'import', ...images, '--cluster', name!]];
  if (context === 'minikube') return images.map((image) => ['minikube', 'image', 'load', image]);
  // They run images of the Docker daemon itself.
  if (['docker-desktop', 'orbstack', 'rancher-desktop'].includes(context)) return [];
  return undefined;
}

/** Creates the cluster of `--kind` unless it is there, and returns its context. */
export async function kindUp(progress: Progress): Promise<string> {
  await requirePrograms(['docker', 'kind', 'kubectl']);
  const clusters = (await run('kind', ['get', 'clusters'], { purpose: 'list the clusters of kind' })).split('\n');
  if (!clusters.includes(KIND_CLUSTER)) {
    await progress.step('creating a cluster with kind', () => run('kind', ['create', 'cluster', '--name', KIND_CLUSTER, '--wait', '120s'], { purpose: 'create a cluster with kind' }));
  }
  return `kind-${KIND_CLUSTER}`;
}

/** Deletes the cluster of `--kind`. */
export async function kindDown(): Promise<void> {
  await requirePrograms(['kind']);
  await run('kind', ['delete', 'cluster', '--name', KIND_CLUSTER], { purpose: 'delete the cluster of kind' });
}

/** Builds both images with Docker and loads them into the cluster of a context. */
export async function buildAndLoad(root: string, context: string, progress: Progress): Promise<DemoImages> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const operatorImage = contentTag(root);
  // Not `latest`, which kubelets would pull.
  const sparkImage = `spark.test/spark-demo:${version}`;
  const commands = loadCommands(context, [operatorImage, sparkImage]);
  if (!commands) {
    throw new ToolError(
      `images cannot be loaded into the cluster of the context ${context}: it is not of kind, k3d, minikube, Docker Desktop, OrbStack or Rancher Desktop`,
      'Build the Dockerfile and tools/demo/spark.Dockerfile, push both images to a registry of the cluster, and name them by --image and --spark-image.',
    );
  }
  await requirePrograms(['docker', 'kubectl', ...commands.map(([program]) => program!)]);
  await progress.step('building the image of the operator', () => run('docker', ['build', '--tag', operatorImage, root], { purpose: 'build the image of the operator' }));
  await progress.step('building the image of Spark', () => run('docker', [
    'build', '--tag', sparkImage, '--file', join(root, 'tools/demo/spark.Dockerfile'), join(root, 'examples/applications'),
  ], { purpose: 'build the image of Spark' }));
  await progress.step('loading the images', async () => {
    for (const [program, ...args] of commands) await run(program!, args, { purpose: 'load the images' });
  });
  return { operatorImage, sparkImage };
}

/** How to look whether a program is there. */
const VERSION_OF: { readonly [program: string]: readonly string[] } = { kubectl: ['version', '--client'], docker: ['version'] };

async function requirePrograms(programs: readonly string[]): Promise<void> {
  for (const program of new Set(programs)) {
    const { code, stderr } = await capture(program, VERSION_OF[program] ?? ['version']).catch((error: Error) => ({ code: 127, stderr: error.message }));
    if (code !== 0) throw new ToolError(`${program} does not work here: ${stderr.trim()}`, 'Install and start it, or run the demo without Docker: docs/operate/local-cluster.md.');
  }
}
