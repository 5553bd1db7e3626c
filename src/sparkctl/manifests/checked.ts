import { UsageError } from '../../text/usage-error';
import type { Io } from '../io';
import type { Schemas } from '../schemas/schemas';
import type { KindName } from '../target';
import { findingsOf, type Finding } from './findings';
import { kindWord, manifestKind } from './kinds';
import { nameOf, readManifests, STDIN, type Manifest } from './read';
import type { Report } from './report';

/** An object of one of the kinds in a file. */
export interface KnownManifest extends Manifest {
  readonly kind: KindName;
}

/**
 * The files of a command line.
 *
 * @throws {UsageError} if there is none, or the standard input is there twice
 */
export function filesOf(words: readonly string[]): readonly string[] {
  if (words.length === 0) throw new UsageError(`there is no FILE; name the manifests, or write ${STDIN} for the standard input`);
  if (words.filter((word) => word === STDIN).length > 1) throw new UsageError(`the standard input can be read once only; write ${STDIN} once`);
  return words;
}

/** The objects of some kinds in files. Others are passed over with a note; that there is none at all is an error. */
export async function readKinds(files: readonly string[], kinds: readonly KindName[], io: Io, report: Report): Promise<KnownManifest[]> {
  const found: KnownManifest[] = [];
  for await (const manifest of readManifests(files, io, report)) {
    const kind = manifestKind(manifest.object);
    if (kind !== undefined && kinds.includes(kind)) found.push({ ...manifest, kind });
    else report.note(manifest.source.place(), `${nameOf(manifest.object)} is passed over, as it is no ${kinds.map(kindWord).join(' or ')}`);
  }
  if (found.length === 0 && report.errors === 0) report.error({ file: files.join(', ') }, `there is no ${kinds.map(kindWord).join(' or ')} in it; name a file with one`);
  return found;
}

/** Reports what is wrong with an object, and what of it has no effect. */
export function reportFindings({ object, source, kind }: KnownManifest, schemas: Schemas, report: Report): readonly Finding[] {
  const findings = findingsOf(object, kind, schemas);
  for (const { severity, field, message } of findings) report[severity](source.place(field), `${nameOf(object)}: ${message}`);
  return findings;
}
