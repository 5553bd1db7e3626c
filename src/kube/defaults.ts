/** Options, where those that have a default are required. */
export type WithDefaults<O, D> = O & Required<Pick<O, keyof O & keyof D>>;

/**
 * Adds defaults for missing options. Unlike with a spread, an option that is present but
 * `undefined`, such as one passed on from other options, also gets its default.
 */
export function withDefaults<O extends object, D extends Partial<O>>(options: O, defaults: D): WithDefaults<O, D> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const merged: object = { ...defaults, ...Object.fromEntries(given) };
  return merged as WithDefaults<O, D>;
}
