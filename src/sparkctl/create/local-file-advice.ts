import { existsSync } from 'node:fs';
import { LOCAL_FILE } from '../../plan/native/reasons-against';
import { findingOf, type Finding } from '../manifests/findings';
import { localFilesOf, type FilesInSpec } from '../upload/local-files';

const UPLOAD = '--upload-to=s3://BUCKET/PREFIX, --upload-to=gs://BUCKET/PREFIX or --upload-to=pvc://CLAIM/FOLDER uploads local files';

/** Problem of a path without a file. */
const MISSING = {
  reason: 'does not exist on this machine', remedy: 'correct the path, or write local:///PATH if the image has the file',
};

/**
 * Returns findings in which a path without a file is a wrong path, rather than a file to upload.
 */
export function withMissingFiles(findings: readonly Finding[], spec: unknown): readonly Finding[] {
  const missing = missingFields(spec as FilesInSpec);
  return findings.map((finding) => (
    isAboutLocalFile(finding) && missing.has(finding.field) ? findingOf({ ...finding.problem, ...MISSING }) : finding
  ));
}

/**
 * Returns how to upload local files.
 *
 * @returns undefined if no finding is about a local file
 */
export function localFileAdvice(findings: readonly Finding[]): string | undefined {
  return findings.some(isAboutLocalFile) ? UPLOAD : undefined;
}

function isAboutLocalFile({ problem: { reason } }: Finding): boolean {
  return reason === LOCAL_FILE.reason;
}

function missingFields(spec: FilesInSpec): ReadonlySet<string> {
  try {
    return new Set(localFilesOf(spec).filter(({ path }) => !existsSync(path)).map(({ field }) => field));
  } catch {
    return new Set(); // a name that cannot be uploaded
  }
}
