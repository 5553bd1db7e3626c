import { existsSync } from 'node:fs';
import { LOCAL_FILE } from '../../plan/native/reasons-against';
import type { Finding } from '../manifests/findings';
import { localFilesOf, type FilesInSpec } from '../upload/local-files';

const UPLOAD = '--upload-to=s3://BUCKET/PREFIX, --upload-to=gs://BUCKET/PREFIX or --upload-to=pvc://CLAIM/FOLDER uploads local files';

/** Remedy for a path without a file. */
const MISSING = 'does not exist on this machine; correct the path, or write local:///PATH if the image has the file';

/**
 * Returns findings in which a path without a file is a wrong path, rather than a file to upload.
 */
export function withMissingFiles(findings: readonly Finding[], spec: unknown): readonly Finding[] {
  const missing = missingFields(spec as FilesInSpec);
  return findings.map((finding) => {
    const [begin, remedy] = finding.message.split(` ${LOCAL_FILE.reason}; `);
    return remedy !== undefined && missing.has(finding.field) ? { ...finding, message: `${begin} ${MISSING}` } : finding;
  });
}

/**
 * Returns how to upload local files.
 *
 * @returns undefined if no finding is about a local file
 */
export function localFileAdvice(findings: readonly Finding[]): string | undefined {
  return findings.some(({ message }) => message.includes(LOCAL_FILE.reason)) ? UPLOAD : undefined;
}

function missingFields(spec: FilesInSpec): ReadonlySet<string> {
  try {
    return new Set(localFilesOf(spec).filter(({ path }) => !existsSync(path)).map(({ field }) => field));
  } catch {
    return new Set(); // a name that cannot be uploaded
  }
}
