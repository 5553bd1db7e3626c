import { same, sameText } from './same';

/** What is wanted and not in a list yet; each once. */
export function missingFrom<T>(present: readonly T[] | null | undefined, wanted: readonly T[] | null | undefined): T[] {
  if (!wanted || wanted.length === 0) {
    return [];
  }
  const known = new KnownItems(present ?? []);
  return wanted.filter((item) => {
    const isMissing = !known.has(item);
    if (isMissing) {
      known.add(item);
    }
    return isMissing;
  });
}

/** Items of a list, among which one that says the same is found without a look at each. */
export class KnownItems {
  private readonly byText = new Map<string, unknown[]>();

  constructor(items: readonly unknown[]) {
    items.forEach(item => this.add(item));
  }

  /** Adds one. */
  public add(item: unknown): void {
    const text = sameText(item);
    const items = this.byText.get(text) ?? [];
    items.push(item);
    this.byText.set(text, items);
  }

  /** Whether there is one that says the same. */
  public has(item: unknown): boolean {
    return (this.byText.get(sameText(item)) ?? []).some(other => same(other, item));
  }
}

/** Names in an error message: a few of them, as the rest says nothing new. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10);
  return names.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ');
}
