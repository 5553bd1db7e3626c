import { figures } from './sample';
import { benchmarksTable, withTable } from '../../../../tools/bench/report/benchmarks-page.ts';

const PAGE = '# A\n\n<!-- bench:begin -->\nold\n<!-- bench:end -->\n\nrest\n';
const REMARKS = '### Restart\n\nMet in one run of four: the others took longer.\n';

test('the page gets the table of goals, and how they were measured, in place of the previous one', () => {
  const page = withTable(PAGE, figures(), '')!;
  expect(page).toBe(`# A\n\n<!-- bench:begin -->\n${benchmarksTable(figures(), '')}\n<!-- bench:end -->\n\nrest\n`);
  expect(withTable(page, figures(), '')).toBe(page);
  expect(page).toContain('| Restart to caught up beside 10,000 applications and 60,000 pods | < 15 s | 9.00 s | met |');
  expect(page).toContain('Measured on 2026-03-01 by `npm run bench` on 2 × Test &#60;1 &#124; 2&#62;');
  expect(page).toContain('`--unsafe-no-fsync`');
});

test('a goal that was met with a reserve is reported so, with a link to the remarks', () => {
  expect(withTable(PAGE, figures(), REMARKS)).toContain('| 9.00 s | met in one run of four: [why](../bench/report.md#restart) |');
});

test('a page without a place for it', () => {
  expect(withTable('# A\n', figures(), '')).toBeUndefined();
});
