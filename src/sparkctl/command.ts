import type { Connect } from './cluster';
import type { Io } from './io';
import type { Terminal } from './terminal';
import type { Options, Values } from './options';
import type { ParsedArguments } from './parse';
import type { StartConsole } from './console';
import type { SynthesizeOperator } from './setup/synthesized';

/** Dependencies of all commands. */
export interface Context {
  readonly io: Io;
  /** The version of the package. */
  readonly version: string;
  /** Folder of the package. */
  readonly packageFolder: string;
  /**
   * Connects to a cluster, given the values of `CLUSTER_OPTIONS`. The caller of the command closes
   * the client.
   */
  readonly connect: Connect;
  /** Starts the console on this machine. */
  readonly startConsole: StartConsole;
  /** Makes the objects of an operator. */
  readonly synthesizeOperator: SynthesizeOperator;
  readonly terminal: Terminal;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Whether an internal error is printed with its stack: `SPARKCTL_DEBUG` is set.
   *
   * @default false
   */
  readonly debug?: boolean;
  /**
   * Aborted by Ctrl-C. A command that ends without a result because of it has the exit code 130,
   * and prints one line: that of an `Interrupted`, if it throws one.
   */
  readonly signal: AbortSignal;
}

/** Definition of a command. */
export interface CommandDefinition<O extends Options> {
  /** Command line after the name, such as `FILE… [options]`. */
  readonly usage: string;
  /** Effect of the command: paragraphs with an empty line between them. `--help` wraps lines. */
  readonly description: string;
  readonly options: O;
  /**
   * Splits the arguments, if the command has its own rules. `help` among the values asks for the
   * help. Options end at the first other word.
   *
   * @default - `parseArguments`
   */
  readonly parse?: (args: readonly string[]) => ParsedArguments;
  /** Command lines and their purposes. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Meanings of the exit codes. @default - 0 is a success, and 2 a wrong command line */
  readonly exitCodes: Readonly<Record<number, string>>;
  /** Exit code of errors without a code of their own. @default 1 */
  readonly failureCode?: number;
  /**
   * Whether the words after `--` are arguments of an application, for the last parameter of `run`.
   *
   * @default false - they are positional arguments
   */
  readonly takesArguments?: boolean;
  /**
   * Runs the command.
   *
   * @param args with `takesArguments`: the words after `--`; undefined without `--`
   * @returns the exit code
   * @throws UsageError
   */
  readonly run: (values: Values<O>, positionals: readonly string[], context: Context, args?: readonly string[]) => Promise<number>;
}

/** Command with any options. */
export type Command = CommandDefinition<any>;

/** Returns the definition as a command; it checks the types of the option values. */
export function command<const O extends Options>(definition: CommandDefinition<O>): Command {
  return definition;
}
