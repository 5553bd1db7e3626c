import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { folderInputs } from '../local-cluster/build/content.ts';
import type { Part } from '../local-cluster/build/parts.ts';
import { fetchPyspark } from '../local-cluster/build/pyspark.ts';
import { run } from '../local-cluster/run.ts';
import type { RealSparkVersion } from './versions.ts';

/** Spark's jars as PyPI's pyspark has them, in the folder `jars`. */
export function sparkJars(version: RealSparkVersion): Part {
  return {
    name: 'spark-jars',
    inputs: { pyspark: version, revision: '1' },
    needs: { programs: ['tar'], tools: ['python'] },
    label: `fetching the jars of Spark ${version} (about a minute, once)`,
    async build(folder, log) {
      const download = join(folder, 'download');
      const source = await fetchPyspark(version, download, log, ['deps/jars']);
      renameSync(join(source, 'deps/jars'), join(folder, 'jars'));
      rmSync(join(folder, 'jars', 'connect-repl'), { recursive: true, force: true }); // an interactive client
      rmSync(download, { recursive: true });
    },
  };
}

/**
 * The program that runs spark-submit, compiled against a version of Spark.
 *
 * @param sources the folder `java` beside this file
 */
export function submitHarness(version: RealSparkVersion, sources: string): Part {
  return harness('spark-submit-harness', version, sources);
}

/**
 * The program that only reads command lines as spark-submit does.
 *
 * @param sources the folder `parser` beside this file
 */
export function submitParser(version: RealSparkVersion, sources: string): Part {
  return harness('spark-submit-parser', version, sources);
}

function harness(name: string, version: RealSparkVersion, sources: string): Part {
  return {
    name,
    inputs: { version, ...folderInputs(sources) },
    requires: [sparkJars(version)],
    needs: { programs: [], tools: ['jdk'] },
    label: `compiling what runs spark-submit ${version}`,
    async build(folder, log, [jars]) {
      const files = readdirSync(sources);
      const java = files.filter((file) => file.endsWith('.java')).map((file) => join(sources, file));
      await run('javac', ['-classpath', [join(jars!, 'jars', '*')].join(delimiter), '--release', '17', '-proc:none', '-d', folder, ...java], {
        log, purpose: 'compile what runs spark-submit',
      });
      for (const file of files) if (!file.endsWith('.java')) copyFileSync(join(sources, file), join(folder, file));
    },
  };
}
