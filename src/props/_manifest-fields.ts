import { Duration, Size } from 'cdk8s';
import { seconds, sparkSize } from './_check';
import { SPARK_APPLICATION } from '../api/spark-application';
import { RESOLVED_FIELDS } from '../plan/fields';
import { propertyOf, type Schema } from '../rules/schema';
import { specSchema } from '../rules/schemas';

/**
 * Converts props to fields of the manifest: the names by the table of fields, sizes and durations
 * as the manifest has them, and numbers as text where the schema wants it. Lists and maps are
 * copied without undefined entries, because methods add to them and must not change the user's own.
 *
 * @param path path of the props; none for those of the application
 * @internal
 */
export function manifestFields(props: object, ...path: readonly string[]): object {
  const schema = path.reduce((outer: Schema | undefined, name) => outer && propertyOf(outer, name), specSchema(SPARK_APPLICATION));
  return Object.fromEntries(Object.entries(props).map(([prop, value]) => {
    const field = FIELDS_BY_PROP.get([...path, prop].join('.')) ?? prop;
    return [field, converted(value, schema && propertyOf(schema, field))];
  }));
}

/** Fields whose props have other names. */
const FIELDS_BY_PROP = new Map(RESOLVED_FIELDS.flatMap(({ path, prop }) => (prop === undefined ? [] : [[prop, path.at(-1)!]])));

function converted(value: unknown, schema: Schema | undefined): unknown {
  if (value instanceof Size) return sparkSize(value);
  if (value instanceof Duration) return seconds(value);
  if (typeof value === 'number' && schema?.type === 'string') return decimal(value);
  if (Array.isArray(value)) return value.filter((entry) => entry !== undefined);
  return isMap(value) ? Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) : value;
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * Formats a factor with ten decimals, which are more than enough, and without an exponent, which
 * the CRD rejects.
 */
function decimal(value: number): string {
  return Number.isFinite(value) ? value.toFixed(10).replace(/[.]?0+$/, '') : String(value);
}
