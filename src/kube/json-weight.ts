/** The cost of a value in bytes, in addition to its text: an object of `JSON.parse`, and its place in what holds it. */
export const VALUE_COST = 100;

const [COMMA, OPEN_LIST, OPEN_OBJECT] = [...',[{'].map((character) => character.charCodeAt(0));

/** Estimates the bytes that a value takes of the heap, by the text and the number of values of its JSON. Takes time by its size. */
export function jsonWeight(value: unknown): number {
  const text = JSON.stringify(value) ?? '';
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Those within texts count as well: this is an estimate from above.
    if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) values++;
  }
  return text.length + values * VALUE_COST;
}
