import { join } from 'node:path';
import { folderInputs } from './content.ts';
import type { Part } from './parts.ts';
import { compile } from './programs.ts';

/** Flags of the linker. */
const FLAGS = ['-ldflags', '-s -w'];

/** Its version stands in s3-server/go.mod, which has no program of its own: what it names as a tool is built. */
const TARGET = 'github.com/versity/versitygw/cmd/versitygw';

/** The Versity S3 Gateway: a server of S3's API that keeps objects as files in a folder. */
export function s3ServerPart(tool: string): Part {
  const sources = join(tool, 's3-server');
  return {
    name: 's3-server',
    inputs: { ...folderInputs(sources), architecture: process.arch, flags: FLAGS.join(' '), target: TARGET },
    needs: { programs: [], tools: ['go'] },
    label: 'building an S3 server from its sources (about two minutes, once)',
    build: (folder, log) => compile({ sources, log, flags: FLAGS, target: TARGET, output: join(folder, 'versitygw') }),
  };
}
