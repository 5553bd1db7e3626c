import { SHELLS } from './scripts';
import type { KindName } from '../target';

/** Positional arguments of a command. */
export interface PositionalArguments {
  /** Values of the first argument. @default - it is a name */
  readonly first?: readonly string[];
  /** Kinds of the named objects; those of the first need no `KIND/` prefix. @default - no names */
  readonly kinds?: readonly KindName[];
  /** Whether only suspended objects are of use. @default false */
  readonly onlySuspended?: boolean;
  /** Maximum number of names. @default - unlimited */
  readonly most?: number;
  /** Whether the arguments are names of files. @default false */
  readonly files?: boolean;
}

const FILES: PositionalArguments = { files: true };
const NONE: PositionalArguments = {};
const ALL_KINDS = ['application', 'schedule', 'connect'] as const;

/** Positional arguments by command. */
export const ARGUMENTS: Readonly<Record<string, PositionalArguments>> = {
  create: FILES,
  submit: FILES,
  apply: FILES,
  diff: FILES,
  list: { first: ['applications', 'schedules', 'connects'] },
  status: { kinds: ALL_KINDS },
  edit: { kinds: ALL_KINDS, most: 1 },
  describe: { kinds: ALL_KINDS, most: 1 },
  log: { kinds: ALL_KINDS, most: 1 },
  event: { kinds: ALL_KINDS, most: 1 },
  wait: { kinds: ['application'] },
  forward: { kinds: ALL_KINDS, most: 1 },
  ui: { kinds: ALL_KINDS, most: 1 },
  suspend: { kinds: ['application', 'schedule'] },
  resume: { kinds: ['application', 'schedule'], onlySuspended: true },
  rerun: { kinds: ['application'] },
  delete: { kinds: ALL_KINDS },
  run: { kinds: ['schedule'] },
  schedule: { first: ['next'], kinds: ['schedule'], most: 1 },
  render: FILES,
  validate: FILES,
  convert: FILES,
  doctor: NONE,
  install: NONE,
  migrate: NONE,
  uninstall: NONE,
  image: NONE,
  completion: { first: SHELLS },
};
