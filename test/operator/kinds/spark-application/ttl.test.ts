import type { SparkApplication } from '../../../../src/model/spark-application';
import { timeLeft } from '../../../../src/operator/kinds/spark-application/ttl';

const END = '2026-03-01T10:00:00Z';
const NOW = Date.parse(END) + 60_000;

// The application's own time to live in seconds, the operator's default in milliseconds, and the
// rest a minute after the end.
test.each<[number | undefined, number, number | undefined]>([
  [undefined, 0, undefined],
  [undefined, 90_000, 30_000],
  [100, 0, 40_000],
  [100, 1_000, 40_000],
  [0, 90_000, -60_000],
  [-5, 0, -60_000],
])('a time to live of %p seconds, with a default of %i ms: %p', (timeToLiveSeconds, byDefault, left) => {
  const application = {
    metadata: {}, spec: { timeToLiveSeconds }, status: { driverInfo: {}, terminationTime: END },
  } as unknown as SparkApplication;
  expect(timeLeft(application, byDefault, NOW)).toBe(left);
});

test('an application that has not ended is kept', () => {
  expect(
    timeLeft({ metadata: {}, spec: { timeToLiveSeconds: 1 }, status: { driverInfo: {} } } as unknown as SparkApplication, 0, NOW),
  ).toBeUndefined();
});
