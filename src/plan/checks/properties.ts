import { metadataViolations } from '../../rules/metadata';
import { found, wrongImage, wrongName } from '../../rules/names';
import type { Problem } from '../../model/problem';
import { sparkList } from '../properties/java-values';
import type { ReadonlySparkProperties } from '../properties/spark-conf';

/** Properties of names in pods, with the checks of the fields for the same. */
const CHECKS: readonly { readonly key: RegExp; check(field: string, value: string, rest: string): readonly (Problem | undefined)[] }[] = [
  {
    key: /^spark\.kubernetes\.(?:(?:driver|executor)\.)?container\.image$/,
    check: (field, value) => [wrongImage(field, value || undefined)],
  },
  {
    key: /^spark\.kubernetes\.container\.image\.pullSecrets$/,
    check: (field, value) => sparkList(value).map((name) => wrongName(field, name)),
  },
  {
    key: /^spark\.kubernetes\.(?:(?:driver|executor)\.)?node\.selector\.(.*)$/s,
    check: (field, value, label) => (
      metadataViolations('name', { labels: { [label]: value } }).map((problem) => ({ ...problem, path: field }))
    ),
  },
];

/**
 * Returns the problems of names in `sparkConf` that only the cluster would find. Fields for the
 * same have their own checks.
 */
export function propertyViolations(properties: ReadonlySparkProperties): Problem[] {
  return properties.entries().flatMap(([key, value]) => {
    const field = properties.fieldOf(key);
    // Spark resolves references where it reads them.
    if (!field.startsWith('spec.sparkConf[') || value.includes('${')) return [];
    return CHECKS.flatMap(({ key: pattern, check }) => {
      const match = pattern.exec(key);
      return match ? found(check(field, value, match[1] ?? '')) : [];
    });
  });
}
