/**
 * Bytes of memory per value, in addition to its text: the parsed value, and its slot in the parent.
 */
export const VALUE_COST = 100;

const [COMMA, OPEN_LIST, OPEN_OBJECT] = [...',[{'].map((character) => character.charCodeAt(0));

/**
 * Estimates the bytes of heap that a value takes, from the text and the number of values of its
 * JSON. Takes time proportional to its size.
 */
export function jsonWeight(value: unknown): number {
  const text = JSON.stringify(value) ?? '';
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Includes those within strings: this is an upper estimate.
    if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) values++;
  }
  return text.length + values * VALUE_COST;
}
