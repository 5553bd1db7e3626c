import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { folderInputs } from '../build/content.ts';
import type { Part } from '../build/parts.ts';
import { run } from '../run.ts';
import { SPARK_IMAGE } from '../versions.ts';
import { blobFile, packImage, readImage } from './layout.ts';
import { SPARK_CONFIG } from './spark.ts';

/** Where the example applications are in the image. */
const TARGET = 'opt/spark/applications';

/** The Spark image: Spark, and the example applications in a last, small layer. Java is compiled against that Spark. */
export function sparkImage(base: Part, applications: string): Part {
  const files = existsSync(applications) ? applicationFiles(applications) : [];
  return {
    name: 'image-spark',
    inputs: { reference: SPARK_IMAGE, revision: '3', ...(files.length > 0 ? folderInputs(applications, isSource) : {}) },
    requires: [base],
    needs: { programs: ['tar'], tools: files.some((path) => path.endsWith('.java')) ? ['jdk'] : [] },
    label: 'packing the example applications',
    async build(folder, log, [baseFolder]) {
      const root = join(folder, 'root');
      const target = join(root, TARGET);
      mkdirSync(target, { recursive: true });
      for (const file of files.filter((path) => !path.endsWith('.java'))) {
        mkdirSync(dirname(join(target, file)), { recursive: true });
        copyFileSync(join(applications, file), join(target, file));
      }
      const archives = Object.entries(javaArchives(files));
      if (archives.length > 0) {
        const work = join(folder, 'java');
        const jars = await extractJars(baseFolder!, work, log);
        for (const [archive, sources] of archives) {
          await compile(sources.map((file) => join(applications, file)), join(target, archive), jars, join(work, archive), log);
        }
        rmSync(work, { recursive: true });
      }
      await run('chmod', ['--recursive', 'a+rX', root], { log });
      await packImage(folder, { reference: SPARK_IMAGE, root, base: baseFolder!, config: SPARK_CONFIG, log });
    },
  };
}

function applicationFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter(isSource)
    .sort();
}

/** Whether a file is part of an application, and not left by a run on a developer's machine. */
function isSource(path: string): boolean {
  return !path.split('/').some((name) => name === '__pycache__' || name.startsWith('.'));
}

/**
 * Returns the Java sources of each archive: those of a folder belong together, and one at the top is an archive of its own.
 * `JavaPi.java` becomes `java-pi.jar`, with its main class in the manifest, and `wordCount/…` becomes `word-count.jar`.
 */
export function javaArchives(files: readonly string[]): Record<string, string[]> {
  const archives: Record<string, string[]> = {};
  for (const file of files.filter((path) => path.endsWith('.java'))) {
    const [top] = file.split('/');
    const archive = `${kebabCase(basename(top!, '.java'))}.jar`;
    (archives[archive] ??= []).push(file);
  }
  return archives;
}

function kebabCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/[ _]+/g, '-').toLowerCase();
}

async function extractJars(baseLayout: string, work: string, log: string): Promise<string> {
  const [, layer] = readImage(baseLayout).layers;
  mkdirSync(work, { recursive: true });
  await run('tar', [
    '--extract', '--file', blobFile(baseLayout, layer!.digest), '--directory', work, '--strip-components=3', '--wildcards',
    './opt/spark/jars/spark-*.jar', './opt/spark/jars/scala-library-*.jar', './opt/spark/jars/jackson-*.jar', './opt/spark/jars/slf4j-api-*.jar',
  ], { log, purpose: 'take the jars out of the Spark image' });
  return join(work, 'jars', '*');
}

async function compile(sources: readonly string[], archive: string, classPath: string, classes: string, log: string): Promise<void> {
  mkdirSync(classes, { recursive: true });
  await run('javac', ['-classpath', classPath, '--release', '17', '-proc:none', '-d', classes, ...sources], {
    log, purpose: `compile ${sources.map((source) => basename(source)).join(', ')}`,
  });
  const [source, ...others] = sources;
  const mainClass = others.length === 0 ? ['--main-class', basename(source!, '.java')] : [];
  await run('jar', ['--create', '--file', archive, ...mainClass, '-C', classes, '.'], { log, purpose: `pack ${basename(archive)}` });
}
