import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../build/parts.ts';
import { run } from '../run.ts';
import { privateMounts } from '../sandbox/mounts.ts';
import { adoptImage, readImage } from './layout.ts';
import { usableSnapshotter } from './prepared.ts';

/** Dockerfile of an image. It starts from its build argument `BASE_IMAGE`. */
export interface Recipe {
  /** Name of the image. It must change with the content: an image that exists is not built again. */
  readonly tag: string;
  readonly file: string;
  /** Folder that the Dockerfile copies from. */
  readonly context: string;
}

/** Returns an image that buildah builds from a Dockerfile, without pulling anything. */
export function builtImage(recipe: Recipe, base: Part, tool: string): Part {
  return {
    name: 'image-built',
    inputs: { tag: recipe.tag, revision: '3' },
    requires: [base],
    needs: { programs: ['buildah', 'unshare'], tools: [] },
    label: `building the image ${recipe.tag}`,
    async build(folder, log, [baseFolder]) {
      const work = join(folder, 'work');
      mkdirSync(work);
      await build(recipe, baseFolder!, tool, folder, work, log);
      rmSync(work, { recursive: true });
    },
  };
}

async function build(recipe: Recipe, base: string, tool: string, folder: string, work: string, log: string): Promise<void> {
  const policy = join(work, 'policy.json');
  writeFileSync(policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] })); // images of our own are not signed
  const storage = ['--root', join(work, 'root'), '--runroot', join(work, 'run'), '--storage-driver', usableSnapshotter(work) === 'overlayfs' ? 'overlay' : 'vfs'];
  const [unshare, ...unshareArgs] = privateMounts(tool, join(work, 'mounts'));
  const buildah = (command: string, ...args: string[]) => run(unshare, [...unshareArgs, 'buildah', ...storage, command, '--signature-policy', policy, ...args], {
    cwd: work, // relative names of layouts: buildah makes names of images of them, in which no `.cache` can occur
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
    log,
    purpose: `build ${recipe.tag}`,
  });

  const { reference } = readImage(base);
  symlinkSync(base, join(work, 'base'));
  await buildah('pull', '--quiet', 'oci:base');
  await run('buildah', [...storage, 'tag', imageId(base), reference], { log, purpose: 'name the base image' });
  await buildah('build', '--pull-never', '--timestamp', '0', '--tag', recipe.tag, '--file', recipe.file,
    '--build-arg', `BASE_IMAGE=${reference}`, recipe.context);
  // Uncompressed layers of the base keep their digests, so that a cluster that has them does not
  // receive them again. Only this one of buildah's forms is never compressed.
  await buildah('push', '--quiet', '--disable-compression', recipe.tag, 'dir:result');
  adoptImage(folder, join(work, 'result'), recipe.tag, base);
}

/** Returns the ID that buildah gives an image: the digest of its configuration. */
function imageId(layout: string): string {
  return readImage(layout).blobs[1]!.slice('sha256:'.length);
}
