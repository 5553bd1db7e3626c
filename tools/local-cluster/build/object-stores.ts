import { join } from 'node:path';
import { folderInputs } from './content.ts';
import type { Part } from './parts.ts';
import { compile } from './programs.ts';

/** Flags of the linker. */
const FLAGS = ['-ldflags', '-s -w'];

/**
 * A server of an object store. The go.mod of the folder has its version, and names it as a tool.
 *
 * @param name the folder
 * @param target the package of its program
 */
function serverPart(tool: string, { name, target, program, label }: { readonly name: string; readonly target: string; readonly program: string; readonly label: string }): Part {
  const sources = join(tool, name);
  return {
    name,
    inputs: { ...folderInputs(sources), architecture: process.arch, flags: FLAGS.join(' '), target },
    needs: { programs: [], tools: ['go'] },
    label,
    build: (folder, log) => compile({ sources, log, flags: FLAGS, target, output: join(folder, program) }),
  };
}

/** The Versity S3 Gateway: a server of S3's API that keeps objects as files in a folder. */
export function s3ServerPart(tool: string): Part {
  return serverPart(tool, {
    name: 's3-server', target: 'github.com/versity/versitygw/cmd/versitygw', program: 'versitygw',
    label: 'building an S3 server from its sources (about two minutes, once)',
  });
}

/** A server of Google Cloud Storage's API that keeps objects in memory. */
export function gcsServerPart(tool: string): Part {
  return serverPart(tool, {
    name: 'gcs-server', target: 'github.com/fsouza/fake-gcs-server', program: 'fake-gcs-server',
    label: 'building a server of Google Cloud Storage from its sources (about two minutes, once)',
  });
}
