import type { Connect } from './cluster';
import type { Io } from './io';
import type { LoadSchemas } from './schemas/schemas';
import type { Terminal } from './terminal';
import type { Options, Values } from './options';
import type { StartConsole } from './console';
import type { SynthesizeOperator } from './setup/synthesized';

/** What all commands work with. */
export interface Context {
  readonly io: Io;
  /** The version of the package. */
  readonly version: string;
  readonly schemas: LoadSchemas;
  /** For commands that talk to a cluster, with the values of `CLUSTER_OPTIONS`. The client is closed when the command is through. */
  readonly connect: Connect;
  /** Starts the console on this machine. */
  readonly startConsole: StartConsole;
  /** Makes the objects of an operator. */
  readonly synthesizeOperator: SynthesizeOperator;
  readonly terminal: Terminal;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Whether it is told where in the program a mistake of it has happened: `SPARKCTL_DEBUG` is set. @default false */
  readonly debug?: boolean;
  /** Aborted when the user has had enough (Ctrl-C). A command that ends for it without a result has the exit code 130. */
  readonly signal: AbortSignal;
}

/** A command, as it is written down. */
export interface CommandDefinition<O extends Options> {
  /** The command line behind the name, such as `FILE… [options]`. */
  readonly usage: string;
  /** What it does, in lines of a terminal's width. */
  readonly description: string;
  readonly options: O;
  /** Command lines and what they are good for. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** What the exit codes other than 0 and 2 (wrong command line) mean. */
  readonly exitCodes: Readonly<Record<number, string>>;
  /**
   * Does it.
   *
   * @returns the exit code
   * @throws UsageError
   */
  readonly run: (values: Values<O>, positionals: readonly string[], context: Context) => Promise<number>;
}

/** A command, whatever its options are. */
export type Command = CommandDefinition<any>;

/** A command: for the types of its values. */
export function command<const O extends Options>(definition: CommandDefinition<O>): Command {
  return definition;
}
