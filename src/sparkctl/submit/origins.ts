/**
 * Returns where the value of a field comes from: the words for the field itself, else for the
 * nearest field around it.
 *
 * @param origins words by field, such as `spec.driver.memory`
 */
export function originOf(origins: ReadonlyMap<string, string>, field: string): string {
  for (let path: string | undefined = field; path !== undefined; path = /^(.+)(?:\.|\[).*$/s.exec(path)?.[1]) {
    const origin = origins.get(path);
    if (origin !== undefined) return origin;
  }
  return WITHOUT_ORIGIN[field] ?? 'the command line';
}

/** Arguments for fields that nothing sets. */
const WITHOUT_ORIGIN: Readonly<Record<string, string>> = {
  'spec.mainClass': '--class',
  'spec.image': '--conf spark.kubernetes.container.image',
  'spec.sparkVersion': '--spark-version',
};
