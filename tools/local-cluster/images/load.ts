import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { ToolError } from '../errors.ts';
import type { ClusterPaths } from '../paths.ts';
import type { Progress } from '../progress.ts';
import type { ProcessIdentity } from '../sandbox/identity.ts';
import { runInSandbox, spawnInSandbox } from '../sandbox/sandbox.ts';
import { readImage } from './layout.ts';
import type { StoredImage } from './layout.ts';

/** The namespace of containerd in which the kubelet looks for images. */
const CTR = ['ctr', '--namespace', 'k8s.io'];

export interface LoadedImage {
  readonly reference: string;
  readonly digest: string;
}

/** The images in a cluster, without the entries by digest that the kubelet's side adds for itself. */
async function listImages(paths: ClusterPaths, init: ProcessIdentity): Promise<LoadedImage[]> {
  return parseImageList(await runInSandbox(paths, init, [...CTR, 'images', 'list'], { purpose: 'list the images' }));
}

export function parseImageList(table: string): LoadedImage[] {
  return table.split('\n').slice(1).flatMap((line) => {
    const [reference, , digest] = line.split(/\s+/);
    return !reference || reference.includes('sha256:') ? [] : [{ reference, digest: digest! }];
  });
}

/** Sends only the blobs that the cluster lacks. */
async function loadLayout(paths: ClusterPaths, init: ProcessIdentity, image: StoredImage): Promise<void> {
  const present = await runInSandbox(paths, init, [...CTR, 'content', 'list', '--quiet'], { purpose: 'list the contents of images' });
  const stored = new Set(present.split('\n'));
  const blobs = image.blobs.filter((digest) => !stored.has(digest)).map((digest) => `blobs/sha256/${digest.slice('sha256:'.length)}`);
  const tar = spawn('tar', ['--create', '--directory', image.folder, 'oci-layout', 'index.json', ...blobs], { stdio: ['ignore', 'pipe', 'ignore'] });
  await importArchive(paths, init, tar.stdout, image.reference);
}

/** Loads those of the images, given as layouts, that a cluster lacks. */
export async function loadLayouts(
  paths: ClusterPaths, init: ProcessIdentity, layouts: readonly string[], progress: Progress,
): Promise<void> {
  const present = await listImages(paths, init);
  for (const image of layouts.map(readImage)) {
    const isLoaded = present.some(({ reference, digest }) => reference === image.reference && digest === image.digest);
    if (!isLoaded) await progress.step(`loading ${image.reference}`, () => loadLayout(paths, init, image));
  }
}

/** Gives an image another name. */
export async function tagImage(paths: ClusterPaths, init: ProcessIdentity, reference: string, alias: string): Promise<void> {
  await runInSandbox(paths, init, [...CTR, 'images', 'tag', '--force', reference, alias], { purpose: `name ${reference} ${alias}` });
}

/** The archive comes through stdin: a file in /run or /var/lib of the machine is not visible to the cluster's containerd. */
async function importArchive(paths: ClusterPaths, init: ProcessIdentity, archive: Readable, what: string): Promise<void> {
  const child = spawnInSandbox(paths, init, [...CTR, 'images', 'import', '-']);
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => { output += chunk; });
  child.stderr!.on('data', (chunk: Buffer) => { output += chunk; });
  const ended = once(child, 'close') as Promise<[number | null]>;
  let broken: unknown;
  await pipeline(archive, child.stdin!).catch((error) => { broken = error; });
  const [code] = await ended;
  // It can end before the padding at the end of the archive is written; it reports an archive that is cut off itself.
  if (code === 0 && isClosedPipe(broken)) return;
  if (code !== 0 || broken) throw new ToolError(`could not load ${what}: ${output.trim() || String(broken)}`, undefined, { cause: broken });
}

function isClosedPipe(error: unknown): boolean {
  return ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}
