import type { Options } from '../options';

/** Of commands that read manifests. */
export const FILE_OPTION = {
  filename: { short: 'f', value: 'FILE', isWord: true, help: 'the same as FILE alone; for the habits of kubectl' },
} as const satisfies Options;
