/*
 * Preloaded by an operator that is to be hurried: what takes half a minute to two minutes (a call that is not answered, a silent watch, the age of a token
 * that was read) takes a twentieth of it. There are no flags for these times.
 */
const FACTOR = 20;
const { setTimeout: realSetTimeout, Date: RealDate } = globalThis;
const begin = RealDate.now();

globalThis.setTimeout = ((callback: (...args: unknown[]) => void, ms: number, ...args: unknown[]) => (
  realSetTimeout(callback, ms >= 20_000 && ms <= 130_000 ? ms / FACTOR : ms, ...args)
)) as typeof setTimeout;

/** `new Date()` runs fast, which the package that reads tokens uses; `Date.now()`, which the operator uses, does not. */
globalThis.Date = class extends RealDate {
  constructor(...args: [number | string | Date] | []) {
    if (args.length === 0) super(begin + (RealDate.now() - begin) * FACTOR);
    else super(args[0]);
  }
} as unknown as DateConstructor;

export {};
