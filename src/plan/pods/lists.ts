import { same, sameText } from './same';

/** Returns the wanted items that a list does not contain yet, each once. */
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

/** Set of items that finds an equal one without comparing all. */
export class KnownItems {
  private readonly byText = new Map<string, unknown[]>();

  constructor(items: readonly unknown[]) {
    items.forEach(item => this.add(item));
  }

  /** Adds an item. */
  public add(item: unknown): void {
    const text = sameText(item);
    const items = this.byText.get(text) ?? [];
    items.push(item);
    this.byText.set(text, items);
  }

  /** Whether it contains an equal item. */
  public has(item: unknown): boolean {
    return (this.byText.get(sameText(item)) ?? []).some(other => same(other, item));
  }
}

/** Returns names for an error message: at most ten of them. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10);
  return names.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ');
}
