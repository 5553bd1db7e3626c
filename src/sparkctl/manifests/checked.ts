import { UsageError } from '../../text/usage-error';
import type { Io } from '../io';
import type { KindName } from '../target';
import { findingsOf, type Finding } from './findings';
import { kindWord, manifestKind, unprocessed } from './kinds';
import { fileName, readManifests, STDIN, type Manifest } from './read';
import { titleOf } from '../output/title';
import { comparePlaces, type Report } from './report';

/** Manifest of one of this package's kinds. */
export interface KnownManifest extends Manifest {
  readonly kind: KindName;
}

/**
 * Returns the files of a command line.
 *
 * @throws {UsageError} if there is none, or the standard input is named twice
 */
export function filesOf(words: readonly string[]): readonly string[] {
  if (words.length === 0) throw new UsageError(`FILE is missing; name the manifests, or write ${STDIN} for the standard input`);
  if (words.filter((word) => word === STDIN).length > 1) {
    throw new UsageError(`the standard input can only be read once; write ${STDIN} once`);
  }
  return words;
}

/**
 * Reads the objects of some kinds from files. It reports other objects, and an error if there is
 * none of these kinds.
 */
export async function readKinds(files: readonly string[], kinds: readonly KindName[], io: Io, report: Report): Promise<KnownManifest[]> {
  const found: KnownManifest[] = [];
  for await (const manifest of readManifests(files, io, report)) {
    const kind = manifestKind(manifest.object);
    if (kind !== undefined && kinds.includes(kind)) found.push({ ...manifest, kind });
    else reportUnprocessed(manifest, kinds, report, true);
  }
  if (found.length === 0 && report.errors === 0) reportNone(files, kinds, report);
  return found;
}

/** Reports why a command does not process an object. @param creates see `unprocessed` */
export function reportUnprocessed({ object, source }: Manifest, kinds: readonly KindName[], report: Report, creates: boolean): void {
  const { severity, field, message } = unprocessed(object, kinds, creates);
  report[severity](source.place(field), `${titleOf(object)} ${message}`);
}

/** Reports that files contain no object of some kinds. */
export function reportNone(files: readonly string[], kinds: readonly KindName[], report: Report): void {
  report.error({ file: files.map(fileName).join(', ') }, `there is no ${kinds.map(kindWord).join(' or ')} in it; name a file with one`);
}

/**
 * Reports the errors of an object and its fields without effect, in the order of the manifest.
 *
 * @param correct corrects what this machine knows better @default - nothing
 * @returns the reported findings
 */
export function reportFindings(
  { object, source, kind }: KnownManifest, report: Report, correct = (found: readonly Finding[]) => found,
): readonly Finding[] {
  const findings = correct(findingsOf(object, kind));
  const placed = findings.map((finding) => ({ ...finding, place: source.place(finding.field) }));
  for (const { severity, place, message } of placed.sort((a, b) => comparePlaces(a.place, b.place))) {
    report[severity](place, `${titleOf(object)}: ${message}`);
  }
  return findings;
}
