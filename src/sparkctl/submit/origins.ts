/**
 * Returns where the value of a field comes from: the words for the field itself, else for the
 * nearest field around it, else for the fields in it if they come from one place.
 *
 * @param origins words by field, such as `spec.driver.memory` or `spec.sparkConf[spark.ui.port]`
 */
export function originOf(origins: ReadonlyMap<string, string>, field: string): string {
  // Messages write keys of maps in brackets, and paths of properties do so for some maps only.
  const known = new Map([...origins].map(([path, origin]) => [withDots(path), origin]));
  const wanted = withDots(field);
  for (let path: string | undefined = wanted; path !== undefined; path = /^(.+)\..*$/s.exec(path)?.[1]) {
    const origin = known.get(path);
    if (origin !== undefined) return origin;
  }
  const [inner, another] = new Set([...known].flatMap(([path, origin]) => (path.startsWith(`${wanted}.`) ? [origin] : [])));
  return (another === undefined ? inner : undefined) ?? WITHOUT_ORIGIN[field] ?? 'the submission';
}

function withDots(path: string): string {
  return path.replace(/\[([^\]]*)\]/g, '.$1');
}

/** Arguments for fields that nothing sets. */
const WITHOUT_ORIGIN: Readonly<Record<string, string>> = {
  'spec.mainClass': '--class',
  'spec.image': '--conf spark.kubernetes.container.image',
  'spec.sparkVersion': '--spark-version',
};
