import { parseDocument, visit, type Document, type YAMLMap } from 'yaml';
import { ToolError } from '../local-cluster/index.ts';

/** The local replacements of what the manifests get from the internet. */
export interface LocalSpark {
  readonly image: string;
  /** Spark's version in the image. */
  readonly version: string;
  /**
   * CPU request of drivers and executors that have none, for machines on which a whole processor
   * each does not fit; undefined to leave them as they are.
   */
  readonly cpuRequest?: string;
}

/** Spark's own images, with and without a registry and a tag. */
const SPARK_REPOSITORY = /^(?:docker\.io\/)?(?:apache|library)\/spark(?:[:@].+)?$/;

/** Files in Spark's own images. */
const SPARK_FILES = 'local:///opt/spark/';

interface Program {
  readonly file: string;
  readonly mainClass?: string;
}

/** Programs of Spark's own images, and those of our image that do the same. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  'local:///opt/spark/examples/jars/spark-examples.jar#org.apache.spark.examples.SparkPi': { file: 'local:///opt/spark/applications/java-pi.jar', mainClass: 'JavaPi' },
  'local:///opt/spark/examples/src/main/python/pi.py': { file: 'local:///opt/spark/applications/pi.py' },
};

/**
 * Puts local images and programs into a manifest. Everything else stays, except for missing CPU
 * requests if the machine is small.
 *
 * @param name the manifest, for errors
 * @throws ToolError for an image or a program without a local replacement
 */
export function patchManifest(name: string, text: string, spark: LocalSpark): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) throw new ToolError(`${name} cannot be read: ${document.errors[0]!.message}`);
  visit(document, { Map: (_, map) => patchMap(name, map, spark) });
  if (spark.cpuRequest !== undefined) requestCpu(document, spark.cpuRequest);
  return String(document);
}

function patchMap(name: string, map: YAMLMap, { image, version }: LocalSpark): void {
  const named = map.get('image');
  if (typeof named === 'string') {
    if (!SPARK_REPOSITORY.test(named)) throw unknown(name, 'image', named);
    map.set('image', image);
  }
  // There is no registry to pull from.
  if (map.get('imagePullPolicy') === 'Always') map.set('imagePullPolicy', 'IfNotPresent');
  if (map.has('sparkVersion')) map.set('sparkVersion', version);
  const file = map.get('mainApplicationFile');
  if (typeof file === 'string' && file.startsWith(SPARK_FILES)) patchProgram(name, map, file);
}

function patchProgram(name: string, map: YAMLMap, file: string): void {
  const mainClass = map.get('mainClass');
  const program = PROGRAMS[mainClass === undefined ? file : `${file}#${mainClass}`];
  if (!program) throw unknown(name, 'program', mainClass === undefined ? file : `${file} with mainClass ${mainClass}`);
  map.set('mainApplicationFile', program.file);
  if (program.mainClass !== undefined) map.set('mainClass', program.mainClass);
}

function requestCpu(document: Document, cpu: string): void {
  const kind = document.get('kind');
  if (kind === 'SparkConnect') {
    const property = ['spec', 'sparkConf', 'spark.kubernetes.executor.request.cores'];
    if (!document.hasIn(property)) document.setIn(property, cpu);
    return;
  }
  const spec = kind === 'ScheduledSparkApplication' ? ['spec', 'template'] : ['spec'];
  for (const role of ['driver', 'executor']) {
    const path = [...spec, role, 'coreRequest'];
    if (!document.hasIn(path)) document.setIn(path, cpu);
  }
}

function unknown(name: string, what: string, value: string): ToolError {
  return new ToolError(`${name} names the ${what} ${value}, for which there is no local one`, 'Add it to tools/kubeflow/manifest.ts.');
}
