/**
 * Costs by operation: `create pods` to numbers. `calls` and `events` are counts; `sent` and `received` are bytes.
 */
export interface Cost {
  readonly [what: string]: Readonly<Partial<Record<Measure, number>>>;
}

export type Measure = 'calls' | 'events' | 'sent' | 'received';

/** By how many percent of the budget bytes can differ from it. */
export interface Tolerance {
  readonly percentAbove: number;
  /** A much lower cost must be written down, too: otherwise it could grow back unseen. */
  readonly percentBelow: number;
}

const MEASURES: readonly Measure[] = ['calls', 'events', 'sent', 'received'];
const BYTES: ReadonlySet<Measure> = new Set(['sent', 'received']);

/**
 * Compares a cost with its budget: counts must be equal, bytes nearly so.
 *
 * @param place the file with the budget, for the developer who has to change it
 * @returns undefined if it is kept; otherwise a table of what is not, and what to write if the new cost is meant
 */
export function overrunOf(name: string, budget: Cost, counted: Cost, tolerance: Tolerance, place: string): string | undefined {
  const rows = [...new Set([...Object.keys(budget), ...Object.keys(counted)])].sort().flatMap((what) => MEASURES.flatMap((measure): string[][] => {
    const [allowed = 0, is = 0] = [budget[what]?.[measure], counted[what]?.[measure]];
    return isKept(measure, allowed, is, tolerance) ? [] : [[what, measure, String(allowed), String(is), difference(allowed, is)]];
  }));
  if (rows.length === 0) return undefined;
  return [
    `"${name}" does not cost what its budget says:`,
    '',
    table([['what', 'measure', 'budget', 'counted', ''], ...rows]),
    '',
    `If that is not meant, it is a regression. If it is, write this into ${place}, and tell in the commit why:`,
    '',
    `    ${JSON.stringify(name)}: ${written(counted).replaceAll('\n', '\n    ')}`,
  ].join('\n');
}

function isKept(measure: Measure, allowed: number, is: number, { percentAbove, percentBelow }: Tolerance): boolean {
  if (!BYTES.has(measure)) return is === allowed;
  return is <= allowed * (1 + percentAbove / 100) && is >= allowed * (1 - percentBelow / 100);
}

function difference(allowed: number, is: number): string {
  const sign = is > allowed ? '+' : '-';
  return allowed === 0 ? 'new' : is === 0 ? 'gone' : `${sign}${Math.abs(is - allowed)} (${sign}${Math.abs((is / allowed - 1) * 100).toFixed(1)} %)`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => `    ${row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ')}`.trimEnd()).join('\n');
}

/** Formats a cost as in a file: one line for each operation. */
function written(cost: Cost): string {
  const lines = Object.entries(cost).sort(([a], [b]) => (a < b ? -1 : 1)).map(([what, numbers]) => {
    const given = MEASURES.filter((measure) => numbers[measure] !== undefined).map((measure) => `"${measure}": ${numbers[measure]}`);
    return `  ${JSON.stringify(what)}: { ${given.join(', ')} }`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}
