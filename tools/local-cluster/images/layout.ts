import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileDigest } from '../build/content.ts';
import { run } from '../run.ts';

/**
 * Images as folders in the layout of the OCI image specification. Layers are kept as plain tar files named by their
 * digest, so that images that share a layer share the file (by hard links), and a cluster is only sent what it lacks.
 */

export interface ImageConfig {
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Env?: readonly string[];
  readonly User?: string;
  readonly WorkingDir?: string;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

const MEDIA_TYPE = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
};

/** Content of a layout: one image by one name. */
export interface StoredImage {
  readonly folder: string;
  readonly reference: string;
  /** The digest of its manifest. */
  readonly digest: string;
  /** The digests of all of its blobs: the manifest, the configuration, and the layers. */
  readonly blobs: readonly string[];
  readonly layers: readonly Descriptor[];
}

export function blobFile(folder: string, digest: string): string {
  return join(folder, 'blobs', 'sha256', digest.replace('sha256:', ''));
}

/** Packs a folder into a layer: sorted and without times, so that equal contents give equal digests. */
export async function packLayer(layout: string, source: string, log: string, paths: readonly string[] = ['.']): Promise<Descriptor> {
  mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true });
  const archive = join(layout, 'layer.tar');
  await run('tar', [
    '--create', '--file', archive, '--directory', source, '--sort=name', '--mtime=@0', '--numeric-owner', '--format=posix',
    '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime', ...paths,
  ], { log, purpose: `pack ${source}` });
  const digest = `sha256:${await fileDigest(archive)}`;
  renameSync(archive, blobFile(layout, digest));
  return { mediaType: MEDIA_TYPE.layer, digest, size: statSync(blobFile(layout, digest)).size };
}

/** Takes over the layers of another layout. */
export function shareLayers(layout: string, from: string, layers: readonly Descriptor[]): void {
  mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true });
  for (const { digest } of layers) {
    if (!existsSync(blobFile(layout, digest))) linkSync(blobFile(from, digest), blobFile(layout, digest));
  }
}

/** Image that is packed from a folder. */
export interface PackedImage {
  readonly reference: string;
  /** Folder that becomes the last layer. */
  readonly root: string;
  /** Paths in the folder. @default - all of them */
  readonly paths?: readonly string[];
  /** Layout whose layers come first. @default - the folder is the only layer */
  readonly base?: string;
  readonly config: ImageConfig;
  readonly log: string;
}

/** Packs a folder into the last layer of an image, and removes the folder. */
export async function packImage(layout: string, { reference, root, paths, base, config, log }: PackedImage): Promise<void> {
  const layer = await packLayer(layout, root, log, paths);
  rmSync(root, { recursive: true });
  const first = base === undefined ? [] : readImage(base).layers;
  if (base !== undefined) shareLayers(layout, base, first);
  writeImage(layout, reference, [...first, layer], config);
}

/** Completes a layout whose layers are in place. */
export function writeImage(layout: string, reference: string, layers: readonly Descriptor[], config: ImageConfig): void {
  const architecture = { x64: 'amd64' }[process.arch as string] ?? process.arch;
  const configuration = writeBlob(layout, MEDIA_TYPE.config, {
    architecture,
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) }, // not compressed, so the digests are the same
    history: layers.map(() => ({ created_by: 'cdk8s-spark-operator local cluster' })),
  });
  const manifest = writeBlob(layout, MEDIA_TYPE.manifest, { schemaVersion: 2, mediaType: MEDIA_TYPE.manifest, config: configuration, layers });
  writeIndex(layout, manifest, reference);
}

/**
 * Takes an image over from a folder of the `dir:` kind, in which a manifest refers to files next to
 * it. Layers that are in the layout of the base are linked from there.
 */
export function adoptImage(layout: string, from: string, reference: string, base: string): void {
  const text = readFileSync(join(from, 'manifest.json'), 'utf8');
  const { mediaType, config, layers } = JSON.parse(text) as { mediaType: string; config: Descriptor; layers: Descriptor[] };
  const manifest = writeBlob(layout, mediaType, text);
  for (const { digest } of [config, ...layers]) {
    if (existsSync(blobFile(base, digest))) linkSync(blobFile(base, digest), blobFile(layout, digest));
    else renameSync(join(from, digest.slice('sha256:'.length)), blobFile(layout, digest));
  }
  writeIndex(layout, manifest, reference);
}

function writeIndex(layout: string, manifest: Descriptor, reference: string): void {
  const annotations = { 'io.containerd.image.name': reference, 'org.opencontainers.image.ref.name': reference.slice(reference.lastIndexOf(':') + 1) };
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }));
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}

function writeBlob(layout: string, mediaType: string, content: object | string): Descriptor {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true });
  writeFileSync(blobFile(layout, digest), text);
  return { mediaType, digest, size: Buffer.byteLength(text) };
}

export function readImage(layout: string): StoredImage {
  const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as { manifests: [Descriptor] };
  const [descriptor] = index.manifests;
  const manifest = JSON.parse(readFileSync(blobFile(layout, descriptor.digest), 'utf8')) as { config: Descriptor; layers: Descriptor[] };
  return {
    folder: layout,
    reference: descriptor.annotations!['io.containerd.image.name']!,
    digest: descriptor.digest,
    blobs: [descriptor.digest, manifest.config.digest, ...manifest.layers.map(({ digest }) => digest)],
    layers: manifest.layers,
  };
}
