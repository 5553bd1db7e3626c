import type { Options } from '../options';
import { printable } from '../../text/printable';

/** Something that may be written. */
export interface Candidate {
  readonly text: string;
  /** What it is, where a shell shows it. */
  readonly meaning?: string;
}

/** What may be written: one of some candidates, or the name of a file, for which the shell has its own ways. */
export type Offer = readonly Candidate[] | 'files';

/** The line that stands for names of files. No candidate begins with a colon. */
const FILES = ':files';

/** What no shell takes for anything but text: names from elsewhere that have other characters are not offered. */
const HARMLESS = /^[\w@%+=,./-][\w@%+=:,./-]*$/;

/** The options of a command, by what has been written of one. */
export function optionCandidates(options: Options): Candidate[] {
  return Object.entries(options).map(([name, { help }]) => ({ text: `--${name}`, meaning: help }));
}

/** The lines that the scripts of the shells read: candidates that begin with what is written, each with a tab before its meaning. */
export function linesOf(offer: Offer, written: string): string[] {
  if (offer === 'files') return [FILES];
  const fitting = offer.filter(({ text }) => text.startsWith(written) && HARMLESS.test(text));
  return fitting.map(({ text, meaning = '' }) => `${text}\t${printable(meaning.replace(/\s+/g, ' '))}`);
}
