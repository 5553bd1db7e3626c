import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Part } from '../build/parts.ts';
import { run } from '../run.ts';
import { SPARK_VERSION } from '../versions.ts';
import { blobFile, packImage, readImage } from './layout.ts';
import { SPARK_CONFIG } from './spark.ts';

/**
 * The Spark image with a class-data archive, which halves the CPU time of a small application. The entrypoint uses the
 * archive if it is there.
 */
export function classDataImage(base: Part, tool: string): Part {
  const [script, program] = ['train.sh', 'train.py'].map((file) => join(tool, 'class-data', file)) as [string, string];
  return {
    name: 'image-spark-class-data',
    inputs: { script: readFileSync(script), program: readFileSync(program), revision: '2' },
    requires: [base],
    needs: { programs: ['tar', 'unshare', 'ip'], tools: [] },
    label: 'running Spark once, to archive its classes',
    async build(folder, log, [baseFolder]) {
      const root = join(folder, 'root');
      mkdirSync(root);
      // Java compares the times of the jars.
      for (const { digest } of readImage(baseFolder!).layers) await run('tar', ['--extract', '--preserve-permissions', '--file', blobFile(baseFolder!, digest), '--directory', root], { log, purpose: 'unpack Spark' });
      copyFileSync(program, join(root, 'tmp', basename(program)));
      writeFileSync(join(root, 'etc', 'hosts'), '127.0.0.1 localhost\n');
      await run('unshare', ['--mount', '--pid', '--net', '--uts', '--fork', '--kill-child', '/bin/bash', script, root, `/tmp/${basename(program)}`], {
        env: { ...Object.fromEntries(SPARK_CONFIG.Env!.map((variable) => variable.split('=', 2))), KUBERNETES_MASTER: 'http://127.0.0.1:1', KUBERNETES_REQUEST_RETRY_BACKOFFLIMIT: '0' },
        log,
        purpose: 'archive the classes of Spark',
      });
      const reference = `spark.test/spark-class-data:${SPARK_VERSION}`;
      await packImage(folder, { reference, root, paths: ['./opt/spark/class-data'], base: baseFolder!, config: SPARK_CONFIG, log });
    },
  };
}
