import { existsSync } from 'node:fs';
import { LOCAL_FILE } from '../../plan/native/reasons-against';
import type { Finding } from '../manifests/findings';
import { localFilesOf, type FilesInSpec } from '../upload/local-files';

const UPLOAD = '--upload-to=s3://BUCKET/PREFIX, --upload-to=gs://BUCKET/PREFIX or --upload-to=pvc://CLAIM/FOLDER uploads local files';

/**
 * Returns advice on local files that are not uploaded: how to upload them, or which do not exist.
 *
 * @returns undefined if no finding is about a local file
 */
export function localFileAdvice(findings: readonly Finding[], spec: unknown): string | undefined {
  if (!findings.some(({ message }) => message.includes(LOCAL_FILE.reason))) return undefined;
  const missing = missingFiles(spec as FilesInSpec);
  if (missing.length === 0) return UPLOAD;
  return `there is no file ${missing.join(', ')} on this machine; correct the path, or write local:///PATH if the image has the file`;
}

function missingFiles(spec: FilesInSpec): string[] {
  try {
    return localFilesOf(spec).map(({ path }) => path).filter((path) => !existsSync(path));
  } catch {
    return []; // a name that cannot be uploaded
  }
}
