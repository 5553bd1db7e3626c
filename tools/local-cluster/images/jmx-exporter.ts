import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileDigest } from '../build/content.ts';
import type { Part } from '../build/parts.ts';
import { ToolError } from '../errors.ts';
import { run } from '../run.ts';
import { SPARK_JMX_IMAGE } from '../versions.ts';
import { packImage } from './layout.ts';
import { SPARK_CONFIG } from './spark.ts';

const MAVEN_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const EXPORTER = {
  group: 'io.prometheus.jmx',
  artifact: 'jmx_prometheus_javaagent',
  version: '1.0.1',
  sha256: '7d61f737fd661610ccc14aea79764faa1ea94a340cbc8f0029b3d2edea3d80c1',
};
/** Where the jar is in the image. */
const TARGET = 'opt/jmx-exporter/jmx_prometheus_javaagent.jar';

/** The Spark image with the JMX exporter of Prometheus in it, as `monitoring.prometheus` needs it. No cluster has it by itself. */
export function sparkJmxImage(spark: Part): Part {
  return {
    name: 'image-spark-jmx',
    inputs: { reference: SPARK_JMX_IMAGE, exporter: JSON.stringify(EXPORTER), target: TARGET, revision: '1' },
    requires: [spark],
    needs: { programs: ['tar'], tools: ['maven'] },
    label: 'fetching the JMX exporter and packing its image',
    async build(folder, log, [sparkFolder]) {
      const root = join(folder, 'root');
      mkdirSync(join(root, dirname(TARGET)), { recursive: true });
      copyFileSync(await download(join(folder, 'download'), log), join(root, TARGET));
      rmSync(join(folder, 'download'), { recursive: true });
      await packImage(folder, { reference: SPARK_JMX_IMAGE, root, base: sparkFolder!, config: SPARK_CONFIG, log });
    },
  };
}

async function download(folder: string, log: string): Promise<string> {
  const { group, artifact, version, sha256 } = EXPORTER;
  mkdirSync(folder);
  await run('mvn', ['--batch-mode', `${MAVEN_PLUGIN}:copy`, `-Dartifact=${group}:${artifact}:${version}`, `-DoutputDirectory=${folder}`], {
    cwd: folder, // a pom.xml around here must not decide about anything
    log,
    purpose: 'fetch the JMX exporter',
    hint: 'mvn needs access to Maven Central, or to a mirror that its settings.xml names.',
  });
  const jar = join(folder, `${artifact}-${version}.jar`);
  const found = await fileDigest(jar);
  if (found !== sha256) throw new ToolError(`the JMX exporter that Maven fetched has the SHA-256 ${found} and not ${sha256}`);
  return jar;
}
