/*
 * Marks in synthesized objects that represent values of the chart. A mark in a text is its name
 * between two control characters; an inserted value is an object with one such key.
 */
import type { Json } from './compile.ts';

const MARK = '\u0001';
const SPREAD = '\u0002';

/** Returns the mark of a value in a text. */
export function mark(name: string): string {
  return `${MARK}${name}${MARK}`;
}

/** Returns an object that represents the content of a value. */
export function inserted(name: string): Json {
  return { [MARK]: name };
}

/** Returns the value that an object represents. */
export function insertedName(content: { readonly [name: string]: Json }): string | undefined {
  return Object.hasOwn(content, MARK) ? content[MARK] as string : undefined;
}

/** Returns a key, or an entry of a list, that represents all entries of a value. */
export function spread(name: string): string {
  return `${SPREAD}${name}`;
}

export function isSpread(text: string): boolean {
  return text.startsWith(SPREAD);
}

export function spreadName(text: string): string {
  return text.slice(SPREAD.length);
}

/** Part of a text: the text itself, or the name of a value. */
export interface TextPart {
  readonly text?: string;
  readonly name?: string;
}

/** Splits a text at its marks. */
export function partsOf(text: string): TextPart[] {
  return text.split(MARK).map((part, index) => (index % 2 === 0 ? { text: part } : { name: part })).filter(({ text: own }) => own !== '');
}
