import type { Part } from './parts.ts';
import { modulePart } from './programs.ts';

/** The Versity S3 Gateway: a server of S3's API that keeps objects as files in a folder. */
export function s3ServerPart(tool: string): Part {
  return modulePart(tool, {
    name: 's3-server', target: 'github.com/versity/versitygw/cmd/versitygw', program: 'versitygw',
    label: 'building an S3 server from its sources (about two minutes, once)',
  });
}

/** A server of Google Cloud Storage's API that keeps objects in memory. */
export function gcsServerPart(tool: string): Part {
  return modulePart(tool, {
    name: 'gcs-server', target: 'github.com/fsouza/fake-gcs-server', program: 'fake-gcs-server',
    label: 'building a server of Google Cloud Storage from its sources (about two minutes, once)',
  });
}
