import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../build/parts.ts';
import { PAUSE_IMAGE } from '../versions.ts';
import { packImage } from './layout.ts';

/** The image of the container that keeps a pod's namespaces. containerd starts no pod without it. */
export function pauseImage(program: Part): Part {
  return {
    name: 'image-pause',
    inputs: { reference: PAUSE_IMAGE },
    requires: [program],
    needs: { programs: ['tar'], tools: [] },
    label: 'packing the pause image',
    async build(folder, log, [programFolder]) {
      const root = join(folder, 'root');
      mkdirSync(root);
      copyFileSync(join(programFolder!, 'pause'), join(root, 'pause'));
      chmodSync(join(root, 'pause'), 0o755);
      const config = { Entrypoint: ['/pause'], User: '65535:65535' };
      await packImage(folder, { reference: PAUSE_IMAGE, root, paths: ['pause'], config, log });
    },
  };
}
