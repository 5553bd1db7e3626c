import type { Chart } from '../chart';

/**
 * Props of `SparkOperator` as a values file of `sparkctl install` has them. Parts that several
 * values of the chart set are merged.
 */
export interface PropsPart {
  readonly [prop: string]: unknown;
}

/** Translation of a value of the chart. */
export interface Outcome {
  /** Props that replace it. @default - none */
  readonly props?: PropsPart;
  /** Difference to know, or the reason why nothing is needed. */
  readonly note?: string;
  /** Reason why it, or a part of it, has no counterpart, and the remedy. */
  readonly loss?: string;
}

/** Translates a value of the chart. `undefined` and `null` never arrive. */
export type Translate = (value: any, chart: Chart) => Outcome;

/** A value of the chart. Values below its path belong to it. */
export interface ValueEntry {
  /** Default of the chart. */
  readonly byDefault: unknown;
  readonly becomes: Translate;
  /** Whether the chart's default differs from that of `SparkOperator`, so that it is translated. */
  readonly isDefaultTranslated?: true;
}

/** Values of the chart by their paths. */
export type ValuesTable = Readonly<Record<string, ValueEntry>>;

/** Returns props with a value at a path, such as `metrics.prefix`. */
export function propsAt(path: string, value: unknown): PropsPart {
  if (path === '') return value as PropsPart;
  return path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as PropsPart;
}

/** Translates to a prop. @param convert changes the value */
export function prop(path: string, note?: string, convert: (value: any) => unknown = (value) => value): Translate {
  return (value) => ({ props: propsAt(path, convert(value)), ...(note !== undefined && { note }) });
}

/** Translates to a prop with a number. Helm accepts numbers in quotes. */
export function numeric(path: string, note?: string): Translate {
  return prop(path, note, (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value));
}

/** Needs no prop. @param note the reason */
export function unneeded(note: string): Translate {
  return () => ({ note });
}

/** Has no counterpart. @param loss the reason and the remedy */
export function lost(loss: string): Translate {
  return () => ({ loss });
}

/** Translates to a flag of the operator, for values without a prop. */
export function flag(name: string, note?: string): Translate {
  return (value) => ({ props: { flags: [`--${name}=${value}`] }, ...(note !== undefined && { note }) });
}

/** Applies only while another value is true, as in the chart. */
export function onlyWith(path: string, becomes: Translate): Translate {
  return (value, chart) => (chart.value(path) === true ? becomes(value, chart) : { note: `has no effect in the chart while ${path} is false` });
}
