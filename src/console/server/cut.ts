/** Returns the beginning of a long text, as a copy: a slice would keep the whole text in memory. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${Buffer.from(text.slice(0, most - 1)).toString()}…` : text;
}
