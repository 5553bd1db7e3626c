import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentKey, folderInputs } from '../build/content.ts';
import type { Part } from '../build/parts.ts';
import { ToolError } from '../errors.ts';
import { run } from '../run.ts';
import { privateMounts } from '../sandbox/mounts.ts';
import { parseDockerfile } from './dockerfile.ts';
import { adoptImage, readImage } from './layout.ts';
import { usableSnapshotter } from './prepared.ts';

/** A Dockerfile and what it is to be built with. */
export interface Recipe {
  readonly tag: string;
  readonly file: string;
  readonly context: string;
  readonly buildArgs: Readonly<Record<string, string>>;
  /** The stage to build; by default the last one. */
  readonly target?: string;
}

/** An image from a Dockerfile, built by buildah. Nothing is pulled: its bases have to be among ours. */
export function builtImage(recipe: Recipe, available: ReadonlyMap<string, Part>, tool: string): Part {
  if (!existsSync(recipe.file)) throw new ToolError(`there is no Dockerfile ${recipe.file}`);
  const dockerfile = readFileSync(recipe.file, 'utf8');
  const { bases, sources } = parseDockerfile(dockerfile, recipe);
  return {
    name: 'image-built',
    inputs: {
      dockerfile,
      tag: recipe.tag,
      buildArgs: JSON.stringify(Object.entries(recipe.buildArgs).sort()),
      ...(recipe.target !== undefined && { target: recipe.target }),
      context: contextKey(recipe.context, sources),
      revision: '2',
    },
    requires: bases.map((reference) => findBase(recipe, reference, available)),
    needs: { programs: ['buildah', 'unshare'], tools: [] },
    label: `building the image ${recipe.tag}`,
    async build(folder, log, baseFolders) {
      const work = join(folder, 'work');
      mkdirSync(work);
      await build(recipe, baseFolders, tool, folder, work, log);
      rmSync(work, { recursive: true });
    },
  };
}

function findBase(recipe: Recipe, reference: string, available: ReadonlyMap<string, Part>): Part {
  const base = available.get(reference);
  if (base) return base;
  throw new ToolError(`${recipe.file} starts from ${reference}, which is not an image of ours`,
    `The images here are ${[...available.keys()].join(' and ')}. Let the Dockerfile name its base by an ARG, and set that with --build-arg.`);
}

function contextKey(context: string, sources: readonly string[]): string {
  const inputs: Record<string, string | Buffer> = {};
  for (const source of ['.dockerignore', ...sources]) {
    const found = /[*?[]/.test(source) ? globSync(source, { cwd: context }) : [source].filter((path) => existsSync(join(context, path)));
    if (found.length === 0 && source !== '.dockerignore') throw new ToolError(`the Dockerfile copies ${source}, which is not in ${context}`, 'Has it been built?');
    for (const path of found) {
      const absolute = join(context, path);
      if (statSync(absolute).isFile()) inputs[path] = readFileSync(absolute);
      else for (const [name, content] of Object.entries(folderInputs(absolute))) inputs[`${path}/${name}`] = content;
    }
  }
  return contentKey(inputs);
}

async function build(recipe: Recipe, bases: readonly string[], tool: string, folder: string, work: string, log: string): Promise<void> {
  const policy = join(work, 'policy.json');
  writeFileSync(policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] })); // images of our own are not signed
  const storage = ['--root', join(work, 'root'), '--runroot', join(work, 'run'), '--storage-driver', usableSnapshotter(work) === 'overlayfs' ? 'overlay' : 'vfs'];
  const [unshare, ...unshareArgs] = privateMounts(tool, join(work, 'mounts'));
  const buildah = (command: string, ...args: string[]) => run(unshare, [...unshareArgs, 'buildah', ...storage, command, '--signature-policy', policy, ...args], {
    cwd: work, // relative names of layouts: buildah makes names of images of them, in which no `.cache` may occur
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
    log,
    purpose: `build ${recipe.tag}`,
  });

  for (const [index, base] of bases.entries()) {
    symlinkSync(base, join(work, `base${index}`));
    await buildah('pull', '--quiet', `oci:base${index}`);
    await run('buildah', [...storage, 'tag', imageId(base), readImage(base).reference], { log, purpose: 'name the base image' });
  }
  await buildah('build', '--pull-never', '--timestamp', '0', '--tag', recipe.tag, '--file', recipe.file,
    ...(recipe.target === undefined ? [] : ['--target', recipe.target]),
    ...Object.entries(recipe.buildArgs).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]), recipe.context);
  // Not compressed, the layers of the bases keep their digests, and a cluster that has them is not sent them again. Of
  // all the forms that buildah writes only this one is never compressed.
  await buildah('push', '--quiet', '--disable-compression', recipe.tag, 'dir:result');
  adoptImage(folder, join(work, 'result'), recipe.tag, bases);
}

/** What buildah calls the ID of an image is the digest of its configuration. */
function imageId(layout: string): string {
  return readImage(layout).blobs[1]!.slice('sha256:'.length);
}
