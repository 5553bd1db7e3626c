/** Objects are merged; lists are put together, containers of the same name into one; else the second wins. */
export function merged(first: any, second: any): any {
  if (Array.isArray(first) && Array.isArray(second)) {
    const isSpark = (item: any) => typeof item === 'object' && item !== null && /^spark-kubernetes-/.test(item.name);
    const [spark] = second.filter(isSpark);
    const more = second.filter((item) => !(isSpark(item) && first.some(isSpark)) && !isVolumeIn(first, item));
    return [...first.map((item) => (spark && isSpark(item) ? merged(item, spark) : item)), ...more];
  }
  if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null) return second;
  const result = { ...first };
  for (const [key, value] of Object.entries(second)) result[key] = key in first ? merged(first[key], value) : value;
  return result;
}

/** The parts of two fields may bring the same volume. */
function isVolumeIn(list: readonly unknown[], item: unknown): boolean {
  return list.some((other) => JSON.stringify(other) === JSON.stringify(item));
}
