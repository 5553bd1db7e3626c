import { fileURLToPath } from 'node:url';
import { isUri } from '../../plan/properties/dependencies';
import { CommandError } from '../errors';

/** Fields of a specification that name files. */
export interface FilesInSpec {
  readonly mainApplicationFile?: unknown;
  readonly deps?: { readonly [field: string]: unknown } | null;
}

/** Local file that a specification names. */
export interface LocalFile {
  /** Path of the field, such as `spec.deps.jars[0]`. */
  readonly field: string;
  /** Path of the file; relative paths start at the current folder. */
  readonly path: string;
  /** Fragment of the URI, such as `#dictionary`: the folder for an unpacked archive. */
  readonly fragment: string;
}

/** Lists of `deps` that name files. */
const LISTS = ['jars', 'files', 'pyFiles', 'archives'] as const;

/** Characters that Spark interprets as a pattern or a list of files. */
const FORBIDDEN = /[*?[\]{}\\\u0000-\u001f\u007f]/;

/** Spark's name for no main file. */
const NO_RESOURCE = 'spark-internal';

/**
 * Returns the files that a specification names without a scheme or with `file:`.
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
  if (FORBIDDEN.test(path)) {
    throw new CommandError(
      `${field} = ${JSON.stringify(text)} cannot be uploaded: Spark would interpret its name as a pattern, or reject it; `
        + 'rename the file without * ? [ ] { } \\ and control characters',
    );
  }
  return { field, path, fragment };
}

function pathIn(field: string, url: string): string {
  // Hadoop writes `file:/path`, and users write `file:path`.
  const path = /^file:(?!\/)(.*)$/is.exec(url)?.[1];
  if (path !== undefined) return path;
  try {
    return fileURLToPath(url);
  } catch {
    throw new CommandError(`${field} = ${JSON.stringify(url)} is not a local file; write file:///path`);
  }
}

/** Returns the specification with URIs in place of some files. */
export function rewritten<T extends FilesInSpec>(spec: T, uris: ReadonlyMap<string, string>): T {
  const { mainApplicationFile, deps } = spec;
  const main = uris.get('spec.mainApplicationFile') ?? mainApplicationFile;
  const lists = LISTS.filter((list) => Array.isArray(deps?.[list])).map((list) => (
    [list, (deps![list] as unknown[]).map((item, index) => uris.get(`spec.deps.${list}[${index}]`) ?? item)] as const
  ));
  return { ...spec, mainApplicationFile: main, ...(lists.length > 0 && { deps: { ...deps, ...Object.fromEntries(lists) } }) };
}
