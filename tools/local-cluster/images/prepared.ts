import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part } from '../build/parts.ts';
import type { ClusterPaths } from '../paths.ts';
import { run } from '../run.ts';
import type { ProcessIdentity } from '../sandbox/identity.ts';
import { privateMounts } from '../sandbox/mounts.ts';
import { runInSandbox } from '../sandbox/sandbox.ts';
import { blobFile, readImage } from './layout.ts';

/**
 * The store of a containerd that has the cluster's images already. To unpack them takes a quarter of a minute, and every
 * new cluster would do it again; it gets this store instead, with the unpacked layers mounted read-only.
 */

export type Snapshotter = 'overlayfs' | 'native';

const CONTENT = 'io.containerd.content.v1.content';
const METADATA = 'io.containerd.metadata.v1.bolt';

const OVERLAY_MAGIC = 0x794c7630;

/** On an overlay, as the root of a container often is, no further overlay can be mounted. */
export function usableSnapshotter(cache: string): Snapshotter {
  return statfsSync(cache).type === OVERLAY_MAGIC ? 'native' : 'overlayfs';
}

export async function containerdVersion(): Promise<string> {
  return (await run('containerd', ['--version'])).trim();
}

export function preparedStore(images: readonly Part[], snapshotter: Snapshotter, version: string, tool: string): Part {
  return {
    name: 'containerd-store',
    inputs: { snapshotter, version, revision: '1' },
    requires: images,
    needs: { programs: ['containerd', 'ctr', 'tar', 'unshare'], tools: [] },
    label: 'unpacking the images for new clusters (once)',
    async build(folder, log, layouts) {
      const work = mkdtempSync(join(tmpdir(), 'containerd-')); // a socket's path must be short
      const config = join(work, 'config.toml');
      const socket = join(work, 'containerd.sock');
      writeFileSync(config, `version = 2
root = ${JSON.stringify(folder)}
state = ${JSON.stringify(join(work, 'state'))}
disabled_plugins = ["io.containerd.grpc.v1.cri", "io.containerd.internal.v1.opt"]
[grpc]
  address = ${JSON.stringify(socket)}
`);
      try {
        const [command, ...args] = privateMounts(tool, join(work, 'root'));
        await run(command, [...args, 'sh', join(tool, 'images', 'prepare.sh'), config, socket, snapshotter, ...layouts], {
          log, purpose: 'unpack the images',
        });
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
      shareContent(folder, layouts);
    },
  };
}

/** The layers are kept packed as well, for images that are built on them; there is no need to have those files twice. */
function shareContent(store: string, layouts: readonly string[]): void {
  for (const layout of layouts) {
    for (const digest of readImage(layout).blobs) {
      const file = blobFile(join(store, CONTENT), digest);
      if (!existsSync(file)) continue;
      rmSync(file);
      linkSync(blobFile(layout, digest), file);
    }
  }
}

/** Gives a new cluster the images of a prepared store, before its containerd is started. */
export async function adoptStore(paths: ClusterPaths, init: ProcessIdentity, store: string, snapshotter: Snapshotter): Promise<void> {
  const snapshots = `io.containerd.snapshotter.v1.${snapshotter}`;
  cpSync(join(store, METADATA), join(paths.containerd, METADATA), { recursive: true });
  mkdirSync(join(paths.containerd, snapshots, 'snapshots'), { recursive: true });
  copyFileSync(join(store, snapshots, 'metadata.db'), join(paths.containerd, snapshots, 'metadata.db'));

  const blobs = join(CONTENT, 'blobs', 'sha256');
  mkdirSync(join(paths.containerd, blobs), { recursive: true });
  for (const blob of readdirSync(join(store, blobs))) linkSync(join(store, blobs, blob), join(paths.containerd, blobs, blob));

  // Read-only, since containerd deletes what no image needs any more, and this is not its own.
  const script = 'for source; do target=$0/${source##*/}; mkdir "$target"; mount --bind -o ro "$source" "$target"; done';
  const layers = readdirSync(join(store, snapshots, 'snapshots')).map((name) => join(store, snapshots, 'snapshots', name));
  await runInSandbox(paths, init, ['sh', '-ec', script, join(paths.containerd, snapshots, 'snapshots'), ...layers], {
    purpose: 'mount the layers of the images',
  });
}
