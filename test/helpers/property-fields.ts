import { RESOLVED_FIELDS } from '../../src/plan/fields';

/**
 * Whether a field becomes a Spark property and nothing else: test/plan/fields.test.ts covers it, and the tests beside real spark-submit.
 *
 * @param path such as `driver.memory`
 */
export function becomesProperty(path: string): boolean {
  return RESOLVED_FIELDS.some((row) => row.path.join('.') === path && row.property !== undefined && row.setBy === undefined);
}
