import { fileURLToPath } from 'node:url';
import { isUri } from '../../plan/properties/dependencies';
import { CommandError } from '../errors';

/** The parts of a specification that name files. */
export interface FilesInSpec {
  readonly mainApplicationFile?: unknown;
  readonly deps?: { readonly [field: string]: unknown } | null;
}

/** A file of this machine that a specification names. */
export interface LocalFile {
  /** Where it is written, such as `spec.deps.jars[0]`. */
  readonly field: string;
  /** Its path; a relative one counts from the current folder. */
  readonly path: string;
  /** What stands behind it, such as `#dictionary`: where an archive is unpacked. */
  readonly fragment: string;
}

/** The lists of `deps` that name files. */
const LISTS = ['jars', 'files', 'pyFiles', 'archives'] as const;

/** Of these Spark takes the file name for a pattern, or a list of files for one. */
const FORBIDDEN = /[*?[\]{}\\\u0000-\u001f\u007f]/;

/** Spark's word for no main file. */
const NO_RESOURCE = 'spark-internal';

/**
 * The files that a specification names without a scheme, or with `file:`.
 *
 * @throws {CommandError} if one has a name that cannot be uploaded
 */
export function localFilesOf({ mainApplicationFile, deps }: FilesInSpec): LocalFile[] {
  const lists = LISTS.flatMap((list) => {
    const items = deps?.[list];
    return Array.isArray(items) ? items.map((item: unknown, index) => [`spec.deps.${list}[${index}]`, item] as const) : [];
  });
  return [['spec.mainApplicationFile', mainApplicationFile] as const, ...lists].flatMap(([field, text]) => localFile(field, text) ?? []);
}

function localFile(field: string, text: unknown): LocalFile | undefined {
  if (typeof text !== 'string' || text === '' || text === NO_RESOURCE || (isUri(text) && !/^file:/i.test(text))) return undefined;
  const hash = field.startsWith('spec.deps.archives') ? text.lastIndexOf('#') : -1;
  const [file, fragment] = hash < 0 ? [text, ''] : [text.slice(0, hash), text.slice(hash)];
  const path = /^file:/i.test(file) ? pathIn(field, file) : file;
  if (FORBIDDEN.test(path)) throw new CommandError(`${field} (${JSON.stringify(text)}) cannot be uploaded: Spark would take it for a pattern, or not at all; give the file a name without * ? [ ] { } \\ and control characters`);
  return { field, path, fragment };
}

function pathIn(field: string, url: string): string {
  // `file:/path` and `file:path` are what Hadoop writes and what people write.
  const path = /^file:(?!\/)(.*)$/is.exec(url)?.[1];
  if (path !== undefined) return path;
  try {
    return fileURLToPath(url);
  } catch {
    throw new CommandError(`${field} (${JSON.stringify(url)}) is no file of this machine; write file:///path`);
  }
}

/** The specification with other texts in some fields. */
export function rewritten<T extends FilesInSpec>(spec: T, uris: ReadonlyMap<string, string>): T {
  const { mainApplicationFile, deps } = spec;
  const main = uris.get('spec.mainApplicationFile') ?? mainApplicationFile;
  const lists = LISTS.filter((list) => Array.isArray(deps?.[list])).map((list) => (
    [list, (deps![list] as unknown[]).map((item, index) => uris.get(`spec.deps.${list}[${index}]`) ?? item)] as const
  ));
  return { ...spec, mainApplicationFile: main, ...(lists.length > 0 && { deps: { ...deps, ...Object.fromEntries(lists) } }) };
}
