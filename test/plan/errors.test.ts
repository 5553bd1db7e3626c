/* Messages of errors become part of the status, of which the operator keeps one for each application. */
import { SubmissionError } from '../../src/plan/errors';

const LONG = 'x'.repeat(200_000);

test('a message is short, whatever names users choose, and has its remedy', () => {
  const { message, field } = new SubmissionError({ field: `spec.sparkConf[${LONG}]`, value: LONG, reason: 'is not a size', remedy: 'write 4g' });
  expect(message).toMatch(/^spec\.sparkConf\[x{285}… = "x{120}…" is not a size; write 4g$/);
  expect(field).toBe(`spec.sparkConf[${LONG}]`);
});

test('it has an end, even if its reason has none', () => {
  expect(new SubmissionError({ field: 'spec', reason: LONG, remedy: 'write less' }).message.length).toBeLessThan(9_000);
});
