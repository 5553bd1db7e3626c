import { RESOLVED_FIELDS, SPARK_CONF_RANK, type ResolvedField } from '../fields';
import { isSet, valueAt, type Path } from '../paths';
import type { SparkApplicationSpec } from '../../api/spark-application';
import type { SparkProperties } from './spark-conf';

/** Fields that alone decide about their property, which is set once for both roles. */
const SET = RESOLVED_FIELDS.filter(({ property, setBy }) => property !== undefined && setBy === undefined)
  .filter(({ property, path }, index, all) => (
    all.findIndex((other) => other.property === property && other.path.join() === path.join()) === index
  ));
const OVERRIDDEN = SET.filter(({ rank }) => rank < SPARK_CONF_RANK);
const OVERRIDING = SET.filter(({ rank }) => rank > SPARK_CONF_RANK);
const WITH_DEFAULT = SET.filter((row) => row.default !== undefined);

/** Sets the properties of the fields over which `sparkConf` takes precedence. */
export function setOverriddenFields(properties: SparkProperties, spec: SparkApplicationSpec): void {
  for (const row of OVERRIDDEN) setField(properties, spec, row);
}

/**
 * Sets the properties of the fields that take precedence over `sparkConf`, and then the defaults of
 * fields that nothing sets.
 */
export function setFields(properties: SparkProperties, spec: SparkApplicationSpec): void {
  for (const row of OVERRIDING) setField(properties, spec, row);
  for (const row of WITH_DEFAULT) properties.setDefault(row.property!, row.default!, row.field);
}

function setField(properties: SparkProperties, spec: SparkApplicationSpec, row: ResolvedField): void {
  const { property, write = String, when } = row;
  if (when && valueAt(spec, when) !== true) return;
  const [path, value] = sourceOf(spec, row);
  const field = `spec.${path.join('.')}`;
  if (property!.endsWith('.')) {
    for (const [key, entry] of Object.entries(value ?? {})) properties.set(property + key, write(entry), `${field}[${key}]`);
    return;
  }
  const text = isSet(value) || row.write ? write(value ?? undefined) : '';
  if (text !== '') properties.set(property!, text, field);
}

function sourceOf(spec: SparkApplicationSpec, { path, otherwise }: ResolvedField): readonly [path: Path, value: unknown] {
  const value = valueAt(spec, path);
  return isSet(value) || !otherwise ? [path, value] : [otherwise, valueAt(spec, otherwise)];
}
