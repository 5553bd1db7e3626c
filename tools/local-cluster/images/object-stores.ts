import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileDigest, folderInputs } from '../build/content.ts';
import type { Part } from '../build/parts.ts';
import { ToolError } from '../errors.ts';
import { run } from '../run.ts';
import { SPARK_STORES_IMAGE } from '../versions.ts';
import { packImage } from './layout.ts';
import { SPARK_CONFIG } from './spark.ts';

const MAVEN_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
/** Spark has these itself. */
const IN_SPARK = ['io.netty', 'org.slf4j', 'org.apache.httpcomponents', 'commons-codec', 'commons-logging'];
/** The SHA-256 of the names and hashes of all jars. */
const DIGEST = '2162864b0435b11077e10a5218b090089187060f01c8a9b052fa414364ccc1b6';
/** The folder of Spark's jars, all of which are on its class path. */
const TARGET = 'opt/spark/jars';

/** The Spark image with the connectors of S3 and Google Cloud Storage in it, as users add them. No cluster has it by itself. */
export function sparkStoresImage(spark: Part, tool: string): Part {
  const sources = join(tool, 'object-store-jars');
  return {
    name: 'image-spark-stores',
    inputs: { reference: SPARK_STORES_IMAGE, ...folderInputs(sources), excluded: IN_SPARK.join(), digest: DIGEST, revision: '1' },
    requires: [spark],
    needs: { programs: ['tar'], tools: ['maven'] },
    label: 'fetching the connectors of object stores and packing their image',
    async build(folder, log, [sparkFolder]) {
      const root = join(folder, 'root');
      const work = join(folder, 'maven');
      mkdirSync(work);
      copyFileSync(join(sources, 'pom.xml'), join(work, 'pom.xml'));
      await run('mvn', [
        '--batch-mode', `${MAVEN_PLUGIN}:copy-dependencies`, '-DincludeScope=runtime', `-DexcludeGroupIds=${IN_SPARK.join()}`, `-DoutputDirectory=${join(root, TARGET)}`,
      ], { cwd: work, log, purpose: 'fetch the connectors of object stores', hint: 'mvn needs access to Maven Central, or to a mirror that its settings.xml names.' });
      rmSync(work, { recursive: true });
      const found = await digestOf(join(root, TARGET));
      if (found !== DIGEST) throw new ToolError(`the jars that Maven fetched have the SHA-256 ${found} and not ${DIGEST}`);
      await run('chmod', ['--recursive', 'a+rX', root], { log });
      await packImage(folder, { reference: SPARK_STORES_IMAGE, root, base: sparkFolder!, config: SPARK_CONFIG, log });
    },
  };
}

async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(`${name} ${await fileDigest(join(folder, name))}\n`);
  return hash.digest('hex');
}
