import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../local-cluster/build/parts.ts';
import { installSpark } from '../local-cluster/images/spark.ts';
import { run } from '../local-cluster/run.ts';
import type { RealSparkVersion } from '../real-spark/versions.ts';

const MAVEN_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

/** A version of Spark, laid out as in its images: the folder `root/opt/spark`. */
export function sparkHome(version: RealSparkVersion): Part {
  return {
    name: 'spark-home',
    inputs: { pyspark: version, revision: '1' },
    needs: { programs: ['tar'], tools: ['python'] },
    label: `fetching Spark ${version} (about a minute, once)`,
    build: (folder, log) => installSpark(version, join(folder, 'root'), join(folder, 'download'), log),
  };
}

/**
 * Jars of Maven Central, without what they depend on.
 *
 * @param artifacts coordinates as `group:name:version`
 */
export function mavenJars(artifacts: readonly string[]): Part {
  return {
    name: 'maven-jars',
    inputs: { artifacts: artifacts.join(' '), revision: '1' },
    needs: { programs: [], tools: ['maven'] },
    label: `fetching ${artifacts.join(', ')} (once)`,
    async build(folder, log) {
      const work = join(folder, 'work');
      mkdirSync(work);
      writeFileSync(join(work, 'pom.xml'), pom(artifacts));
      await run('mvn', ['--batch-mode', `${MAVEN_PLUGIN}:copy-dependencies`, '-DexcludeTransitive=true', `-DoutputDirectory=${folder}`], {
        cwd: work, log, purpose: 'fetch jars', hint: 'mvn needs access to Maven Central, or to a mirror that its settings.xml names.',
      });
      rmSync(work, { recursive: true });
    },
  };
}

function pom(artifacts: readonly string[]): string {
  const dependencies = artifacts.map((artifact) => {
    const [group, name, version] = artifact.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version>`
      + '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>';
  });
  return '<project><modelVersion>4.0.0</modelVersion><groupId>none</groupId><artifactId>none</artifactId><version>1</version>'
    + `<packaging>pom</packaging><dependencies>${dependencies.join('')}</dependencies></project>\n`;
}
