/** Option of a command. Without `value` it is a switch. */
export interface Option {
  /** Effect of the option; for `--help`. */
  readonly help: string;
  /** Placeholder of its value in `--help`, such as `NAME`. */
  readonly value?: string;
  /**
   * Whether the option can be written without a value. Then a value has to follow in the same word.
   *
   * @default false
   */
  readonly optional?: boolean;
  /** Valid values. @default - any */
  readonly choices?: readonly string[];
  /** Values that completion offers, if the parser cannot check them. @default - none */
  readonly suggestions?: readonly string[];
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
