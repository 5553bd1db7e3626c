/**
 * Returns the number of generated cases of some sort that a property must have tried. With a part of
 * the cases (FAST_CHECK_DIVISOR), chance decides whether there is one.
 */
export const fewest = (cases: number): number => (process.env.FAST_CHECK_DIVISOR ? 0 : cases);
