import type { Options } from '../options';
import { printable } from '../../text/printable';

/** Candidate of a completion. */
export interface Candidate {
  readonly text: string;
  /** Description, in shells that show it. */
  readonly meaning?: string;
}

/** Candidates, or `files`: the shell completes names of files itself. */
export type Offer = readonly Candidate[] | 'files';

/** Line that requests names of files. No candidate begins with a colon. */
const FILES = ':files';

/**
 * Texts that are literal in every shell. Names with other characters are not offered: they come
 * from the cluster.
 */
const LITERAL = /^[\w@%+=,./-][\w@%+=:,./-]*$/;

/** Returns the options of a command as candidates. */
export function optionCandidates(options: Options): Candidate[] {
  return Object.entries(options).map(([name, { help }]) => ({ text: `--${name}`, meaning: help }));
}

/**
 * Returns the lines for the scripts of the shells: candidates with the given prefix, each with a
 * tab before its description.
 */
export function linesOf(offer: Offer, written: string): string[] {
  if (offer === 'files') return [FILES];
  const fitting = offer.filter(({ text }) => text.startsWith(written) && LITERAL.test(text));
  return fitting.map(({ text, meaning = '' }) => `${text}\t${printable(meaning.replace(/\s+/g, ' '))}`);
}
