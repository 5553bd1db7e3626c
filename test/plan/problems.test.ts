import type { Problem } from '../../src/model/problem';
import { SubmissionError } from '../../src/plan/errors';
import { Problems } from '../../src/plan/problems';

const warnings = Array.from({ length: 200 }, (_, index): Problem => ({ path: `spec.a[${index}]`, reason: 'has no effect', severity: 'warning' }));

test('an error is kept beside any number of warnings', () => {
  const reported = new Problems();
  reported.report([...warnings, { path: 'spec.b', reason: 'is wrong' }]);
  expect(reported.list.length).toBeLessThan(100);
  expect(reported.hasErrors).toBe(true);

  const rejected = new Problems();
  rejected.report(warnings);
  rejected.attempt(() => { throw new SubmissionError({ field: 'spec.b', reason: 'is wrong', remedy: 'write another' }); });
  expect(rejected.list.at(-1)).toMatchObject({ path: 'spec.b' });
});
