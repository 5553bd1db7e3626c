import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../build/parts.ts';
import { fetchPyspark } from '../build/pyspark.ts';
import { run } from '../run.ts';
import { SPARK_VERSION } from '../versions.ts';
import type { ImageConfig } from './layout.ts';
import { packImage } from './layout.ts';

export const SPARK_CONFIG: ImageConfig = {
  Entrypoint: ['/opt/entrypoint.sh'],
  Env: [
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/spark/bin',
    'SPARK_HOME=/opt/spark',
    `JAVA_HOME=/usr/lib/jvm/java-17-openjdk-${process.arch === 'x64' ? 'amd64' : process.arch}`,
    'LANG=C.UTF-8',
  ],
  User: '185',
  WorkingDir: '/opt/spark/work-dir',
};

/** Spark as PyPI's pyspark has it, on Debian, with an entrypoint of our own. The applications come in one more layer. */
export function sparkBaseImage(debian: Part, tool: string): Part {
  const scripts = join(tool, 'spark-image');
  const files = readdirSync(scripts);
  return {
    name: 'image-spark-base',
    inputs: {
      pyspark: SPARK_VERSION,
      config: JSON.stringify(SPARK_CONFIG),
      revision: '2',
      ...Object.fromEntries(files.map((file) => [file, readFileSync(join(scripts, file))])),
    },
    requires: [debian],
    needs: { programs: ['tar'], tools: ['python'] },
    label: `fetching Spark ${SPARK_VERSION} and packing its image (about a minute, once)`,
    async build(folder, log, [debianFolder]) {
      const root = join(folder, 'root');
      await installSpark(SPARK_VERSION, root, join(folder, 'download'), log);
      for (const file of files) {
        copyFileSync(join(scripts, file), join(root, 'opt', file));
        chmodSync(join(root, 'opt', file), 0o755);
      }
      const reference = `spark.test/spark-base:${SPARK_VERSION}`;
      await packImage(folder, { reference, root, base: debianFolder!, config: SPARK_CONFIG, log });
    },
  };
}

/** Unpacks pyspark's source distribution into the layout of a Spark distribution, at `opt/spark` of a root. */
export async function installSpark(version: string, root: string, download: string, log: string): Promise<void> {
  const source = await fetchPyspark(version, download, log);
  const spark = join(root, 'opt', 'spark');
  mkdirSync(join(spark, 'python'), { recursive: true });
  for (const folder of ['bin', 'data', 'examples', 'jars', 'licenses', 'sbin']) renameSync(join(source, 'deps', folder), join(spark, folder));
  renameSync(join(source, 'pyspark'), join(spark, 'python', 'pyspark'));
  cpSync(join(source, 'lib'), join(spark, 'python', 'lib'), { recursive: true });
  rmSync(join(spark, 'jars', 'connect-repl'), { recursive: true, force: true }); // an interactive client, for laptops
  for (const script of readdirSync(join(spark, 'bin'))) {
    if (script.endsWith('.cmd')) rmSync(join(spark, 'bin', script));
    else chmodSync(join(spark, 'bin', script), 0o755);
  }
  mkdirSync(join(spark, 'conf'));
  await run('chmod', ['--recursive', 'a+rX,g-w,o-w', spark], { log });
  mkdirSync(join(spark, 'work-dir'));
  // For Spark's user with a group of its own, as in Apache's images, and for any other user with root's group.
  chmodSync(join(spark, 'work-dir'), 0o775);
  chownSync(join(spark, 'work-dir'), 185, 0);
  rmSync(download, { recursive: true });
}
