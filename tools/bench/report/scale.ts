import { number, short } from './format.ts';

/** Puts values onto an axis. */
export interface Scale {
  /** Where a value is; what lies outside is put to the edge. */
  at(value: number): number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

/** What an axis shows. */
export interface Axis {
  /** Logarithmic: equal factors are equally far. Zero is put to its lower edge. */
  readonly logarithmic?: boolean;
  /** A number of what; in a title. */
  readonly label: string;
}

/** A scale from `from` to `to`, in pixels, that has room for the values. Without values it goes from 0, or 1, to 1, or 10. */
export function scaleFor(values: readonly number[], { logarithmic = false }: Pick<Axis, 'logarithmic'>, from: number, to: number): Scale {
  return logarithmic ? logarithmicScale(values.filter((value) => value > 0), from, to) : linearScale(values, from, to);
}

function linearScale(values: readonly number[], from: number, to: number): Scale {
  const most = Math.max(0, ...values) || 1;
  const step = niceStep(most / 5);
  const end = Math.ceil(most / step - 1e-9) * step;
  const at = (value: number) => from + (to - from) * Math.min(1, Math.max(0, value / end));
  return { at, ticks: Array.from({ length: Math.round(end / step) + 1 }, (_, index) => ({ at: at(index * step), label: short(index * step).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') })) };
}

/** 1, 2 or 5 times a power of ten, at least as much as is said. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9))!;
}

function logarithmicScale(values: readonly number[], from: number, to: number): Scale {
  const first = values.length === 0 ? 0 : Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const last = Math.max(first + 1, values.length === 0 ? 1 : Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
  const at = (value: number) => (value <= 0 ? from : from + (to - from) * Math.min(1, Math.max(0, (Math.log10(value) - first) / (last - first))));
  const factors = last - first <= 2 ? [1, 2, 5] : [1];
  const ticks = Array.from({ length: last - first }, (_, index) => 10 ** (first + index)).flatMap((power) => factors.map((factor) => factor * power)).concat(10 ** last);
  return { at, ticks: ticks.map((value) => ({ at: at(value), label: tickLabel(value) })) };
}

function tickLabel(value: number): string {
  return value >= 1 ? number(value) : String(Number(value.toPrecision(1)));
}
