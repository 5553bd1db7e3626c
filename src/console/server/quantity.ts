import { parseQuantity } from '../../rules/quantity';

/** Billionths in one. */
const NANO = 1e9;

/** Returns the amount of a quantity, such as 0.5 for `500m`; undefined for an invalid one. */
export function quantityOf(text: string | undefined): number | undefined {
  const amount = text === undefined ? undefined : parseQuantity(String(text));
  return amount === undefined ? undefined : Number(amount) / NANO;
}
