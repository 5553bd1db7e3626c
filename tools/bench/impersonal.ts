import { homedir, hostname, tmpdir } from 'node:os';

const MOST_LETTERS = 1000;

/** A message without what it tells of whose machine this is. */
export function impersonal(message: string, root: string): string {
  const names: [string, string][] = [[root, '.'], [homedir(), '~'], [tmpdir(), '$TMPDIR'], [hostname(), 'HOST']];
  const told = names.filter(([name]) => name.length > 1).reduce((text, [name, word]) => text.replaceAll(name, word), message);
  return told.length > MOST_LETTERS ? `${told.slice(0, MOST_LETTERS)}…` : told;
}

/** Of `6.18.44-acme-v6` the number: the rest is its owner's. */
export function plainRelease(kernel: string): string {
  return /^[\d.]+/.exec(kernel)?.[0] ?? 'unknown';
}
