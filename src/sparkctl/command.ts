import type { Connect } from './cluster';
import type { Io } from './io';
import type { LoadSchemas } from './schemas/schemas';
import type { Terminal } from './terminal';

/** Option of a command. Without `value` it is a switch. */
export interface Option {
  /** Effect of the option; for `--help`. */
  readonly help: string;
  /** Placeholder of its value in `--help`, such as `NAME`. */
  readonly value?: string;
  /** Valid values. @default - any */
  readonly choices?: readonly string[];
  /** One letter, for `-o`. */
  readonly short?: string;
  /** Value if the option is missing. */
  readonly default?: string;
  /**
   * Whether the option can be repeated; its values are then joined by commas.
   *
   * @default false - the last value applies
   */
  readonly repeatable?: boolean;
  /**
   * Whether an empty value equals a missing option, as in kubectl: `-n "$NAMESPACE"` in a script
   * that does not set the variable.
   *
   * @default false
   */
  readonly isIgnoredIfEmpty?: boolean;
  /**
   * Whether its values are also positional arguments, in their order: `-f pi.yaml` equals
   * `pi.yaml`.
   *
   * @default false
   */
  readonly isPositional?: boolean;
}

/** Options by name, without dashes. */
export type Options = Readonly<Record<string, Option>>;

/** The values of options. */
export type Values<O extends Options> = {
  readonly [name in keyof O]: O[name] extends { readonly value: string }
    ? (O[name] extends { readonly choices: readonly (infer Choice)[] } ? Choice : string)
    | (O[name] extends { readonly default: string } ? never : undefined)
    : boolean
};

/** Dependencies of all commands. */
export interface Context {
  readonly io: Io;
  /** The version of the package. */
  readonly version: string;
  readonly schemas: LoadSchemas;
  /**
   * Connects to a cluster, given the values of `CLUSTER_OPTIONS`. The caller of the command closes
   * the client.
   */
  readonly connect: Connect;
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
   * Aborted by Ctrl-C. A command that ends without a result because of it has the exit code 130.
   */
  readonly signal: AbortSignal;
}

/** Definition of a command. */
export interface CommandDefinition<O extends Options> {
  /** Command line after the name, such as `FILE… [options]`. */
  readonly usage: string;
  /** Effect of the command, in lines of a terminal's width. */
  readonly description: string;
  readonly options: O;
  /** Command lines and their purposes. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Meanings of the exit codes other than 0 and 2 (wrong command line). */
  readonly exitCodes: Readonly<Record<number, string>>;
  /**
   * Runs the command.
   *
   * @returns the exit code
   * @throws UsageError
   */
  readonly run: (values: Values<O>, positionals: readonly string[], context: Context) => Promise<number>;
}

/** Command with any options. */
export type Command = CommandDefinition<any>;

/** Returns the definition as a command; it checks the types of the option values. */
export function command<const O extends Options>(definition: CommandDefinition<O>): Command {
  return definition;
}
