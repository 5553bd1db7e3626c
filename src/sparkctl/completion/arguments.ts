import { SHELLS } from './scripts';
import type { KindName } from '../target';

/** What the words of a command are. */
export interface Words {
  /** What the first word is, if it is no name. @default - a name */
  readonly first?: readonly string[];
  /** What names are of; those of the first kind have no `KIND/` before them. @default - there are no names */
  readonly kinds?: readonly KindName[];
  /** How many names there are at most. @default - any number */
  readonly most?: number;
  /** Whether names are those of files. @default false */
  readonly files?: boolean;
}

const FILES: Words = { files: true };
const NONE: Words = {};
const ALL_KINDS = ['application', 'schedule', 'connect'] as const;

/** By command. */
export const WORDS: Readonly<Record<string, Words>> = {
  create: FILES,
  apply: FILES,
  list: { first: ['applications', 'schedules', 'connects'] },
  status: { kinds: ALL_KINDS, most: 1 },
  describe: { kinds: ALL_KINDS, most: 1 },
  log: { kinds: ALL_KINDS, most: 1 },
  event: { kinds: ALL_KINDS, most: 1 },
  wait: { kinds: ['application'] },
  forward: { kinds: ALL_KINDS, most: 1 },
  ui: { kinds: ALL_KINDS, most: 1 },
  suspend: { kinds: ['application', 'schedule'] },
  resume: { kinds: ['application', 'schedule'] },
  rerun: { kinds: ['application'] },
  delete: { kinds: ALL_KINDS },
  run: { kinds: ['schedule'] },
  schedule: { first: ['next'], kinds: ['schedule'], most: 1 },
  render: FILES,
  validate: FILES,
  convert: FILES,
  doctor: NONE,
  install: NONE,
  uninstall: NONE,
  completion: { first: SHELLS },
};
