import type { Command } from './command';

/** A command in the table. */
export interface CommandEntry {
  readonly name: string;
  /** What it does; one line of `sparkctl --help`. */
  readonly summary: string;
  /** Its module, which is only loaded when it is run: no command waits for another one's libraries. */
  readonly load: () => Promise<Command>;
}

/** All commands: one line here and one file in commands/ each. */
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'render', summary: 'print what would be created for SparkApplication manifests, without a cluster', load: async () => (await import('./commands/render')).render },
];
