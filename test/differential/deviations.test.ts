import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCEPTANCE_EXCEPTIONS } from './comparison/acceptance';
import { DEVIATIONS } from './comparison/deviations';
import { planDeviations } from './comparison/plan-deviations';
import { RULES } from './comparison/rules';

/** Properties that the comparison ignores. It compares objects, not the time of their creation (see test/operator/kinds/spark-application). */
const UNSEEN = ['order'];

/** The rows of the tables in a section of the page, cell by cell. */
function rows(section: string): string[][] {
  const page = readFileSync(join(__dirname, '../../docs/explain/deviations.md'), 'utf8');
  const text = page.split(/^## /m).find((part) => part.startsWith(section))!;
  return text.split('\n').filter((line) => /^\| /.test(line) && !line.startsWith('| what |')).map((line) => line.slice(1, -1).split('|').map((cell) => cell.trim()));
}

const ofLength = (cells: number) => rows('From spark-submit').filter((row) => row.length === cells);

/*
 * docs/explain/deviations.md says in what native submission differs from spark-submit. That, and nothing else, the comparison lets pass.
 */

test('in what they create', () => {
  const known = [
    ...UNSEEN, ...DEVIATIONS.map(({ what }) => what), ...planDeviations({ namespace: '', uid: '' }).map(({ what }) => what), ...RULES.flatMap(({ row }) => row ?? []),
  ];

  expect(ofLength(4).map(([what]) => what).sort()).toEqual([...new Set(known)].sort());
});

test('in what they refuse', () => {
  const known = ACCEPTANCE_EXCEPTIONS.map(({ name, who, reason }) => [name, who.replace(/^only | refuses$/g, ''), reason]);

  expect(ofLength(3)).toEqual(known);
});
