/** Options of which those that have a default are given. */
export type WithDefaults<O, D> = O & Required<Pick<O, keyof O & keyof D>>;

/**
 * Fills in what an options object leaves out. Unlike with a spread, an option that is there but `undefined`, such as one
 * handed on from other options, gets its default too.
 */
export function withDefaults<O extends object, D extends Partial<O>>(options: O, defaults: D): WithDefaults<O, D> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const merged: object = { ...defaults, ...Object.fromEntries(given) };
  return merged as WithDefaults<O, D>;
}
