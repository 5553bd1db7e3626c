import type { Options } from '../options';

/** Option of commands that read manifests. */
export const FILE_OPTION = {
  filename: { short: 'f', value: 'FILE', isPositional: true, help: 'the same as the argument FILE, as in kubectl' },
} as const satisfies Options;
