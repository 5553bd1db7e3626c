import { cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Part } from '../local-cluster/build/parts.ts';
import { run } from '../local-cluster/run.ts';
import { DEPENDENCIES, generateBindings, installed, versionOf } from './bindings.ts';

const MAVEN_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

/**
 * The classes that the package for Java needs: jsii's runtime from Maven's repository, and the bindings of what the package depends on, compiled here from
 * the versions that are installed at the root. Maven itself would resolve the version ranges of their poms, and read thousands of poms for it.
 */
export function javaDependencies(root: string): Part {
  const pacmak = versionOf(root, 'jsii-pacmak');
  const packages = DEPENDENCIES.map((name) => `${name}@${versionOf(root, name)}`);
  // Bindings and runtime are of one version. The annotations are those of the poms that jsii-pacmak writes.
  const jars = [`software.amazon.jsii:jsii-runtime:${pacmak}`, 'org.jetbrains:annotations:19.0.0', 'javax.annotation:javax.annotation-api:1.3.2'];
  return {
    name: 'java-dependencies',
    inputs: { jars: jars.join(' '), packages: packages.join(' '), pacmak, revision: '1' },
    needs: { programs: [], tools: ['jdk', 'maven'] },
    label: 'compiling what constructs in Java need (about a minute, once)',
    async build(folder, log) {
      const work = join(folder, 'work');
      mkdirSync(work);
      writeFileSync(join(work, 'pom.xml'), pom(jars));
      await run('mvn', ['--batch-mode', `${MAVEN_PLUGIN}:copy-dependencies`, `-DoutputDirectory=${join(folder, 'jars')}`], {
        cwd: work, log, purpose: 'fetch the runtime of jsii', hint: 'mvn needs access to Maven Central, or to a mirror that its settings.xml names.',
      });
      await compileJava([await generateBindings(root, 'java', DEPENDENCIES.map((name) => installed(root, name)), work, log)], join(folder, 'classes'), [join(folder, 'jars/*')], log);
      rmSync(work, { recursive: true });
    },
  };
}

/** Where the classes of `javaDependencies` are. */
export function javaClasspath(dependencies: string): string[] {
  return [join(dependencies, 'jars/*'), join(dependencies, 'classes')];
}

/** Makes the bindings for Java below `folder` and compiles them. @returns their folder of classes */
export async function buildJava(root: string, dependencies: string, folder: string): Promise<string> {
  const classes = join(folder, 'classes');
  await compileJava([await generateBindings(root, 'java', [root], folder)], classes, javaClasspath(dependencies));
  return classes;
}

/** Compiles the files of source folders, as Maven lays them out or without folders, and copies their resources. */
export async function compileJava(sources: readonly string[], classes: string, classpath: readonly string[], log?: string): Promise<void> {
  const files = sources.flatMap((folder) => globSync('**/*.java', { cwd: folder }).map((file) => join(folder, file)));
  mkdirSync(classes, { recursive: true });
  const list = `${classes}.files`;
  writeFileSync(list, files.map((file) => `"${file}"\n`).join(''));
  await run('javac', ['-nowarn', '-proc:none', '-encoding', 'UTF-8', '-classpath', classpath.join(delimiter), '-d', classes, `@${list}`], { log, purpose: 'compile the Java package' });
  for (const resources of sources.map((folder) => join(folder, 'src/main/resources')).filter((folder) => existsSync(folder))) cpSync(resources, classes, { recursive: true });
  rmSync(list);
}

function pom(artifacts: readonly string[]): string {
  const dependencies = artifacts.map((artifact) => {
    const [group, name, version] = artifact.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion><groupId>none</groupId><artifactId>none</artifactId><version>1</version><packaging>pom</packaging><dependencies>${dependencies.join('')}</dependencies></project>\n`;
}
