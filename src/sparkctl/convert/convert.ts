import { isMap, isSeq, type Document, type YAMLMap } from 'yaml';
import type { AccompanyingObject } from './apache/accompanying';
import { isApaches, untranslated, withoutAliases } from './apache/document';
import { translateApplication } from './apache/translate';
import { apiVersionOf } from '../../api/kind';
import { SPARK_APPLICATION } from '../../api/spark-application';
import { manifestKind, OLD_API_VERSION } from '../manifests/kinds';
import type { ManifestObject } from '../manifests/read';
import { fieldOf, objectIn, remove, replace, valueIn } from './nodes';
import { convertSpecification, type ConversionNote, type OnNote } from './specification';

/** Converted object, with notes for the user. */
export interface Conversion {
  /** Path of the object in the document. */
  readonly base: readonly (string | number)[];
  readonly notes: readonly ConversionNote[];
  /** Objects to write behind the document. */
  readonly added: readonly AccompanyingObject[];
  /** Whether the object stays as it was. @default false */
  readonly isUnchanged?: boolean;
}

/** Annotation in which kubectl keeps the last applied manifest, in the old version. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Converts the v1beta1 objects of a document, those of Apache's operator, and the items of lists,
 * to v1beta2, in place. Comments and all other objects stay unchanged.
 *
 * @returns the converted objects; empty if the document has none
 */
export function convertDocument(document: Document): Conversion[] {
  withoutAliases(document);
  return isMap(document.contents) ? convertObject(document.contents, document, []) : [];
}

function convertObject(object: YAMLMap, document: Document, base: readonly (string | number)[]): Conversion[] {
  const items = fieldOf(object, 'items')?.value;
  if (String(valueIn(object, 'kind')).endsWith('List') && isSeq(items)) {
    // A list such as a SparkApplicationList also has the version.
    if (valueIn(object, 'apiVersion') === OLD_API_VERSION || isApaches(object)) replace(object, 'apiVersion', apiVersionOf(SPARK_APPLICATION));
    return items.items.flatMap((item, index) => (isMap(item) ? convertObject(item, document, [...base, 'items', index]) : []));
  }
  if (isApaches(object)) return [convertApaches(object, document, base)];
  const kind = manifestKind({ apiVersion: valueIn(object, 'apiVersion'), kind: valueIn(object, 'kind') } as ManifestObject);
  if (valueIn(object, 'apiVersion') !== OLD_API_VERSION || (kind !== 'application' && kind !== 'schedule')) return [];
  const { notes, addNote } = noteList();
  convertHead(object, 'v1beta1', addNote);
  const spec = objectIn(object, 'spec');
  const specification = kind === 'application' ? spec : spec && objectIn(spec, 'template');
  const path = kind === 'application' ? 'spec' : 'spec.template';
  if (specification) convertSpecification(specification, document, path, addNote);
  else addNote('error', path, 'is missing, or is an alias of an anchor: write it here');
  return [{ base, notes, added: [] }];
}

function convertApaches(object: YAMLMap, document: Document, base: Conversion['base']): Conversion {
  const { notes, addNote } = noteList();
  const reason = untranslated(object);
  if (reason) {
    addNote('error', reason.field, reason.message);
    return { base, notes, added: [], isUnchanged: true };
  }
  convertHead(object, 'Apache\'s kind', addNote);
  return { base, notes, added: translateApplication(object, document, addNote) };
}

/** Converts what all objects have. @param from the version or kind of the object */
function convertHead(object: YAMLMap, from: string, addNote: OnNote): void {
  replace(object, 'apiVersion', apiVersionOf(SPARK_APPLICATION));
  if (remove(object, 'status')) addNote('note', 'status', 'is dropped: the operator writes it');
  const annotations = objectIn(objectIn(object, 'metadata') ?? object, 'annotations');
  if (annotations && remove(annotations, LAST_APPLIED)) {
    addNote('note', `metadata.annotations[${LAST_APPLIED}]`, `is dropped: it describes the object in ${from}`);
  }
}

function noteList(): { readonly notes: ConversionNote[]; readonly addNote: OnNote } {
  const notes: ConversionNote[] = [];
  return { notes, addNote: (severity, field, message) => void notes.push({ severity, field, message }) };
}
