import { figures } from './sample';
import { readmeTable, withTable } from '../../../../tools/bench/report/readme.ts';

const README = '# A\n\n<!-- bench:begin -->\nold\n<!-- bench:end -->\n\nrest\n';

test('README gets the main table, and where it is from, in place of the one before', () => {
  const readme = withTable(README, figures())!;
  expect(readme).toBe(`# A\n\n<!-- bench:begin -->\n${readmeTable(figures())}\n<!-- bench:end -->\n\nrest\n`);
  expect(withTable(readme, figures())).toBe(readme);
  expect(readme).toContain('| Restart to caught up beside 10,000 applications and 60,000 pods | < 15 s | 9.00 s | met |');
  expect(readme).toContain('Measured on 2026-03-01 by `npm run bench` on 2 × Test &#60;1 &#124; 2&#62;');
});

test('a README without a place for it', () => {
  expect(withTable('# A\n', figures())).toBeUndefined();
});
