import { same } from './same';

/** What is wanted and not in a list yet; each once. */
export function missingFrom<T>(present: readonly T[] | null | undefined, wanted: readonly T[] | null | undefined): T[] {
  const missing: T[] = [];
  for (const item of wanted ?? []) {
    if (![...present ?? [], ...missing].some(other => same(other, item))) {
      missing.push(item);
    }
  }
  return missing;
}

/** Names in an error message: a few of them, as the rest says nothing new. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10);
  return names.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ');
}
