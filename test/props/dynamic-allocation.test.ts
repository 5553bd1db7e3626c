import { Duration } from 'cdk8s';
import { DynamicAllocation } from '../../src';

test('between two numbers, up to a maximum, and from a minimum', () => {
  expect(DynamicAllocation.between(2, 20, { initialExecutors: 5, shuffleTrackingTimeout: Duration.minutes(1) })._toAllocation()).toMatchObject({
    enabled: true, minExecutors: 2, maxExecutors: 20, initialExecutors: 5, shuffleTrackingTimeout: 60_000,
  });
  expect(DynamicAllocation.upTo(3)._toAllocation()).toEqual({ enabled: true, maxExecutors: 3 });
  expect(DynamicAllocation.atLeast(3, { shuffleTracking: false })._toAllocation()).toEqual({
    enabled: true, minExecutors: 3, shuffleTrackingEnabled: false,
  });
});

test.each<[string, () => unknown, string]>([
  [
    'swapped bounds', () => DynamicAllocation.between(5, 2),
    'DynamicAllocation.between: minExecutors = 5 must not be greater than maxExecutors, 2',
  ],
  ['no executors', () => DynamicAllocation.upTo(0), 'DynamicAllocation.upTo: maxExecutors = 0 must be a whole number from 1 to 2147483647'],
  [
    'half an executor', () => DynamicAllocation.atLeast(0.5),
    'DynamicAllocation.atLeast: minExecutors = 0.5 must be a whole number from 0 to 2147483647',
  ],
  [
    'an initial number out of bounds', () => DynamicAllocation.between(2, 4, { initialExecutors: 1 }),
    'initialExecutors = 1 must be a whole number from 2 to 4',
  ],
  ['a timeout without shuffle tracking', () => DynamicAllocation.upTo(4, {
    shuffleTracking: false, shuffleTrackingTimeout: Duration.seconds(1),
  }), 'shuffleTrackingTimeout = "1000 ms" has no effect without shuffleTracking'],
])('%s', (_, make, message) => {
  expect(make).toThrow(message);
});
