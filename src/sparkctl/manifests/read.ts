import { LineCounter, parseAllDocuments, type Document } from 'yaml';
import { KUBECTL_YAML } from '../../text/kubectl-yaml';
import { fileProblem } from '../errors';
import type { Io } from '../io';
import type { Report } from './report';
import { Source } from './source';

/** Kubernetes object in a file. Only the presence of a kind has been checked. */
export interface Manifest {
  readonly object: ManifestObject;
  /** Position of the object. */
  readonly source: Pick<Source, 'place'>;
}

/** Object as parsed from YAML. */
export interface ManifestObject {
  readonly apiVersion?: unknown;
  readonly kind: string;
  readonly metadata?: unknown;
  readonly [field: string]: unknown;
}

/** Name of the standard input on a command line. */
export const STDIN = '-';

/** Returns the name of a file in messages. */
export function fileName(file: string): string {
  return file === STDIN ? '<stdin>' : file;
}

/** Message about a file without content. */
export const EMPTY = 'it is empty';

/**
 * Reads the objects of files, one after the other; for a list, its items. It reports what it cannot
 * read, and continues with the rest.
 */
export async function* readManifests(
  files: readonly string[], io: Pick<Io, 'readFile' | 'readStdin'>, report: Report,
): AsyncGenerator<Manifest> {
  for (const file of files) {
    const name = fileName(file);
    let text: string;
    try {
      text = await (file === STDIN ? io.readStdin() : io.readFile(file));
    } catch (error) {
      report.error({ file: name }, fileProblem(error));
      continue;
    }
    if (text.trim() === '') report.note({ file: name }, EMPTY);
    const lines = new LineCounter();
    for (const document of parseAllDocuments(text, { ...KUBECTL_YAML, lineCounter: lines })) {
      yield* objectsIn(document, new Source(name, document, lines), report);
    }
  }
}

function* objectsIn(document: Document, source: Source, report: Report): Generator<Manifest> {
  const value = documentValue(document, source, report);
  if (value !== undefined) yield* objectsOf(value, source, report);
}

/** Returns the content of a document; undefined if it is empty, or its error has been reported. */
export function documentValue(document: Document, source: Source, report: Report): unknown {
  const [error] = document.errors;
  if (error) return void report.error(source.at(error.pos[0]), `invalid ${source.language}: ${error.message}`);
  try {
    return document.toJS() ?? undefined;
  } catch (cause) {
    return void report.error(source.place(), `invalid ${source.language}: ${(cause as Error).message}`); // an alias without an anchor, or far too many
  }
}

/** Returns whether a value is a Kubernetes object, and reports an error if it is not. */
export function isKubernetesObject(value: unknown, source: Source, report: Report): value is ManifestObject {
  if (typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string') return true;
  report.error(source.place(), 'this is not a Kubernetes object, as it has no kind; write apiVersion, kind, metadata and spec');
  return false;
}

function* objectsOf(object: unknown, source: Source, report: Report): Generator<Manifest> {
  if (!isKubernetesObject(object, source, report)) return;
  if (!object.kind.endsWith('List') || !Array.isArray(object.items)) return yield { object, source };
  for (const [index, item] of object.items.entries()) yield* objectsOf(item, source.item(index), report);
}
