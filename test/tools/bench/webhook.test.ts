import { parseReview } from '../../../src/operator/admission/parse';
import { evenly } from '../../../tools/bench/webhook/load.ts';
import { reviewKinds, UID } from '../../../tools/bench/webhook/reviews.ts';

test('the shares sum up to the whole, and each stretch of reviews has about the same', () => {
  const kinds = reviewKinds();
  expect(kinds.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  const order = evenly(kinds);
  for (const begin of [0, 700]) {
    const executors = Array.from({ length: 100 }, (_, index) => order(begin + index)).filter(({ name }) => name === 'executor').length;
    expect(Math.abs(executors - 20)).toBeLessThanOrEqual(2);
  }
});

test('each body is a review with room for a uid', () => {
  for (const { body } of reviewKinds()) expect(parseReview(body).uid).toBe(UID);
});
