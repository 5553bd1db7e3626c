import type { Connect } from './cluster';
import type { Io } from './io';
import type { LoadSchemas } from './schemas/schemas';
import type { Terminal } from './terminal';

/** An option of a command. Without `value` it is a switch. */
export interface Option {
  /** What it does; for `--help`. */
  readonly help: string;
  /** What its value is, such as `NAME`. */
  readonly value?: string;
  /** The values that it may have. Default: any. */
  readonly choices?: readonly string[];
  /** One letter, for `-o`. */
  readonly short?: string;
  /** The value when the option is not there. */
  readonly default?: string;
  /** Whether it may be there several times: the values are then one, with commas between them. Default: the last one counts. */
  readonly repeatable?: boolean;
  /** Whether an empty value is as if the option were not there, as kubectl has it: `-n "$NAMESPACE"` of a script whose variable is not set. @default false */
  readonly isNoneIfEmpty?: boolean;
  /** Whether its values are also words of the command line, in their order: `-f pi.yaml` is `pi.yaml`. @default false */
  readonly isWord?: boolean;
}

/** Options by name, without dashes. */
export type Options = Readonly<Record<string, Option>>;

/** The values of options. */
export type Values<O extends Options> = {
  readonly [name in keyof O]: O[name] extends { readonly value: string }
    ? (O[name] extends { readonly choices: readonly (infer Choice)[] } ? Choice : string) | (O[name] extends { readonly default: string } ? never : undefined)
    : boolean
};

/** What all commands work with. */
export interface Context {
  readonly io: Io;
  /** The version of the package. */
  readonly version: string;
  readonly schemas: LoadSchemas;
  /** For commands that talk to a cluster, with the values of `CLUSTER_OPTIONS`. The client is closed when the command is through. */
  readonly connect: Connect;
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
