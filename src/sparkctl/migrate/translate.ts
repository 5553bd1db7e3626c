import { isDeepStrictEqual } from 'node:util';
import { Chart, isTrue, valueAt, type HelmRelease, type HelmValues } from './chart';
import { VALUES } from './values/table';
import type { Outcome, PropsPart } from './values/translation';
import { isObject } from '../../model/is-object';
import { nearest } from '../../rules/known-fields';

/** A value of the chart, and what it becomes. */
export interface TranslatedValue {
  /** Path of the value, such as `controller.workers`. */
  readonly value: string;
  /** Props that replace it. @default - none */
  readonly becomes?: PropsPart;
  /** Difference to know, or the reason why nothing is needed. */
  readonly note?: string;
  /** Reason why it, or a part of it, has no counterpart, and the remedy. */
  readonly loss?: string;
}

/** Result of a translation. */
export interface Translation {
  /** Given values that differ from the chart's defaults, and defaults that differ from ours. */
  readonly values: readonly TranslatedValue[];
  /** Props of `SparkOperator`, in the form of a values file. */
  readonly props: PropsPart;
  readonly chart: Chart;
}

/** Translates the values of a release to props of `SparkOperator`. */
export function translate(release: HelmRelease): Translation {
  const chart = new Chart(release, (path) => VALUES[path]?.byDefault);
  const values = [
    ...Object.keys(VALUES).flatMap((path) => translated(path, chart)),
    ...unknownPaths(release.given).map((value): TranslatedValue => ({ value, loss: unknownText(value) })),
  ];
  return { values, props: values.reduce<PropsPart>((props, { becomes = {} }) => merged(props, becomes), {}), chart };
}

function translated(path: string, chart: Chart): TranslatedValue[] {
  const { byDefault, becomes, isDefaultTranslated } = VALUES[path]!;
  const value = effective(path, byDefault, chart);
  const isDefault = value === undefined || isDeepStrictEqual(value, byDefault);
  if (isDefault && !isDefaultTranslated) return [];
  const outcome: Outcome = becomes(isDefault ? byDefault : value, chart);
  if (isDefault && !outcome.props) return [];
  const { props, note, loss } = outcome;
  return [{ value: path, ...(props && { becomes: props }), ...(note !== undefined && { note }), ...(loss !== undefined && { loss }) }];
}

/**
 * Returns the value that the chart uses. Helm merges given objects into the defaults, and drops
 * entries that are null.
 */
function effective(path: string, byDefault: unknown, { release: { given, defaults = {} } }: Chart): unknown {
  const own = valueAt(defaults, path) ?? byDefault;
  const value = valueAt(given, path);
  if (value === undefined || value === null) return own ?? undefined;
  if (typeof byDefault === 'boolean') return isTrue(value);
  return isObject(value) && isObject(own) ? withoutNull(merged(own, value)) : value;
}

function withoutNull(values: HelmValues): HelmValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** Merges objects; lists of flags are concatenated. */
function merged(one: PropsPart, other: PropsPart): PropsPart {
  const result: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = result[name];
    if (isObject(before) && isObject(value)) result[name] = merged(before, value);
    else if (name === 'flags' && Array.isArray(before) && Array.isArray(value)) result[name] = [...before, ...value as unknown[]];
    else result[name] = value;
  }
  return result;
}

/** Parts of a chart's values that Helm itself reads. */
const HELM_OWN = ['global'];

/** Returns the paths of given values that the chart does not have. */
function unknownPaths(values: HelmValues, prefix = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    // A name with dots is no path.
    if (name.includes('.')) return [path];
    if (Object.hasOwn(VALUES, path) || HELM_OWN.includes(path)) return [];
    const isGroup = Object.keys(VALUES).some((known) => known.startsWith(`${path}.`));
    if (!isGroup) return value === null ? [] : [path];
    return isObject(value) ? unknownPaths(value, `${path}.`) : value === null ? [] : [path];
  });
}

function unknownText(path: string): string {
  if (Object.keys(VALUES).some((known) => known.startsWith(`${path}.`))) return 'it is a group of values in the chart, and has none here; write a map';
  const similar = nearest(path, Object.keys(VALUES)) ?? namesake(path);
  const remedy = similar === undefined ? 'leave it out, or look for the setting in docs/reference/api/spark-operator.md (SparkOperatorProps)' : `did you mean ${similar}?`;
  return `kubeflow's chart (2.x) has no such value, and ignores it; ${remedy}`;
}

/** Returns the only value or group with the same last part: older charts have other groups. */
function namesake(path: string): string | undefined {
  const last = path.split('.').at(-1)!;
  const groups = Object.keys(VALUES).flatMap((known) => known.split('.').map((_, index, names) => names.slice(0, index + 1).join('.')));
  const same = [...new Set(groups)].filter((known) => known.split('.').at(-1) === last);
  return same.length === 1 ? same[0] : undefined;
}
