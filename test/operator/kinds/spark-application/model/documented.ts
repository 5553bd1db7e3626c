import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENT = join(__dirname, '../../../../../docs/reference/states.md');

/** Transitions in the table of docs/reference/states.md: from each state to others. */
export const DOCUMENTED: ReadonlyMap<string, ReadonlySet<string>> = read();

/** Whether the table has a transition between two states. */
export function isDocumented(from: string, to: string): boolean {
  return DOCUMENTED.get(from)?.has(to) ?? false;
}

/** Whether the table leads from one state to another; one write can pass several. */
export function isReachable(from: string, to: string): boolean {
  const seen = new Set(DOCUMENTED.get(from));
  for (const state of seen) for (const next of DOCUMENTED.get(state) ?? []) seen.add(next);
  return seen.has(to);
}

function read(): Map<string, Set<string>> {
  const table = new Map<string, Set<string>>();
  for (const line of readFileSync(DOCUMENT, 'utf8').split('\n')) {
    const [, from, to] = /^\| (new|[A-Z_]+) \| (new|[A-Z_]+) \|/.exec(line) ?? [];
    if (!from || !to) continue;
    const [state, next] = [from, to].map((name) => (name === 'new' ? '' : name));
    table.set(state!, (table.get(state!) ?? new Set()).add(next!));
  }
  return table;
}
