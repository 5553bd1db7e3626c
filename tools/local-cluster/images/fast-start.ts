import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../build/parts.ts';
import { run } from '../run.ts';
import { SPARK_VERSION } from '../versions.ts';
import { blobFile, packImage, readImage } from './layout.ts';
import { SPARK_CONFIG } from './spark.ts';

/** Folder of the archive in the image. */
const TARGET = 'opt/spark/fast-start';

/** Trains in a root directory, as the build of an image does. Java asks for the address of the machine's name. */
const TRAIN = `mount -t proc proc "$1/proc" && hostname localhost && ip link set lo up && exec chroot "$1" /${TARGET}/train`;

/**
 * The Spark image with the archive for `fastStart`, made as `sparkctl image` makes it.
 *
 * @param files folder of the package with the training
 */
export function fastStartImage(base: Part, files: string): Part {
  const names = readdirSync(files).sort();
  return {
    name: 'image-spark-fast-start',
    inputs: { ...Object.fromEntries(names.map((name) => [name, readFileSync(join(files, name))])), revision: '1' },
    requires: [base],
    needs: { programs: ['tar', 'unshare', 'ip'], tools: [] },
    label: 'running Spark once, to archive its classes (about four minutes, once)',
    async build(folder, log, [baseFolder]) {
      const root = join(folder, 'root');
      mkdirSync(root);
      // Java compares the times of the jars.
      for (const { digest } of readImage(baseFolder!).layers) {
        await run('tar', ['--extract', '--preserve-permissions', '--file', blobFile(baseFolder!, digest), '--directory', root], { log, purpose: 'unpack Spark' });
      }
      mkdirSync(join(root, TARGET));
      for (const name of names) {
        copyFileSync(join(files, name), join(root, TARGET, name));
        chmodSync(join(root, TARGET, name), name === 'train' ? 0o755 : 0o644);
      }
      writeFileSync(join(root, 'etc', 'hosts'), '127.0.0.1 localhost\n');
      await run('unshare', ['--mount', '--pid', '--net', '--uts', '--fork', '--kill-child', '/bin/bash', '-c', TRAIN, 'bash', root], {
        env: Object.fromEntries(SPARK_CONFIG.Env!.map((variable) => variable.split('=', 2))), log, purpose: 'archive the classes of Spark',
      });
      const zips = readdirSync(join(root, 'opt/spark/python/lib')).filter((name) => name.endsWith('.zip'));
      await packImage(folder, {
        reference: `spark.test/spark-fast-start:${SPARK_VERSION}`, root, base: baseFolder!, config: SPARK_CONFIG, log,
        paths: [`./${TARGET}`, ...zips.map((name) => `./opt/spark/python/lib/${name}`)],
      });
    },
  };
}
