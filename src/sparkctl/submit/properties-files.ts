import { CommandError, fileProblem } from '../errors';
import type { Io } from '../io';
import { parseJavaProperties } from '../../text/read-java-properties';
import { toError } from '../../kube/errors';
import { allOf, hasOption, lastOf, type SubmitLine } from './command-line';

/** Properties of one file. */
export interface PropertiesFile {
  /** Path of the file. */
  readonly path: string;
  readonly properties: ReadonlyMap<string, string>;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the files with properties that apply, those with precedence first, as spark-submit does:
 * those of the command line, and spark-defaults.conf unless the command line names one without
 * `--load-spark-defaults`.
 *
 * @throws {CommandError} if one cannot be read; spark-defaults.conf might not exist
 */
export async function propertiesFiles(line: SubmitLine, environment: Environment, { readFile }: Pick<Io, 'readFile'>): Promise<PropertiesFile[]> {
  const named = lastOf(line, 'properties-file');
  const paths = [...(named === undefined ? [] : [named]), ...allOf(line, 'extra-properties-file')];
  const textOf = (path: string) => readFile(path).catch((error: unknown) => { throw unreadable(path, error); });
  const files = await Promise.all(paths.map(async (path) => ({ path, properties: propertiesIn(path, await textOf(path)) })));
  const defaults = named === undefined || hasOption(line, 'load-spark-defaults') ? defaultsPath(environment) : undefined;
  if (defaults === undefined) return files;
  const text = await readFile(defaults).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(defaults, error);
  });
  return text === undefined ? files : [...files, { path: defaults, properties: propertiesIn(defaults, text) }];
}

function unreadable(path: string, error: unknown): CommandError {
  return new CommandError(`${path}: ${fileProblem(error)}`);
}

function defaultsPath({ SPARK_CONF_DIR: folder, SPARK_HOME: home }: Environment): string | undefined {
  if (folder !== undefined) return `${folder}/spark-defaults.conf`;
  return home === undefined ? undefined : `${home}/conf/spark-defaults.conf`;
}

function propertiesIn(path: string, text: string): ReadonlyMap<string, string> {
  try {
    return new Map([...parseJavaProperties(text)].map(([key, value]) => [key, trimmed(value)]));
  } catch (error) {
    throw new CommandError(`${path}: ${toError(error).message}; correct it`);
  }
}

/** Removes blanks and control characters, except line ends, at both ends (trimExceptCRLF). */
function trimmed(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/^[\u0000-\u0009\u000b\u000c\u000e-\u0020]+|[\u0000-\u0009\u000b\u000c\u000e-\u0020]+$/g, '');
}
