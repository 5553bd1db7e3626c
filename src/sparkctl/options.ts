/** An option of a command. Without `value` it is a switch. */
export interface Option {
  /** The text for `--help`. */
  readonly help: string;
  /** The name of its value, such as `NAME`. */
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
