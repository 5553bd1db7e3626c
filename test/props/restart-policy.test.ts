import { Duration } from 'cdk8s';
import { RestartPolicy } from '../../src';

test('never, always, and a number of retries after failures', () => {
  expect(RestartPolicy.never()._toRestartPolicy()).toEqual({ type: 'Never' });
  expect(RestartPolicy.always({ interval: Duration.minutes(1) })._toRestartPolicy()).toMatchObject({
    type: 'Always', onFailureRetryInterval: 60, onSubmissionFailureRetryInterval: 60,
  });
  expect(RestartPolicy.onFailure({
    retries: 3, interval: Duration.seconds(10), submissionRetries: 5, submissionInterval: Duration.minutes(1),
  })._toRestartPolicy()).toMatchObject({
    type: 'OnFailure', onFailureRetries: 3, onFailureRetryInterval: 10, onSubmissionFailureRetries: 5, onSubmissionFailureRetryInterval: 60,
  });
});

test('exponential backoff', () => {
  const { backoff } = RestartPolicy.onFailure({
    retries: 3, exponentialBackoff: { maxInterval: Duration.hours(1), resetAfter: Duration.minutes(30) },
  })._toRestartPolicy();
  expect(backoff).toEqual({ type: 'Exponential', maxInterval: 3600, resetAfter: 1800 });
});

test.each([
  [{ retries: -1 }, 'retries = -1 must be a whole number from 0 to 2147483647'],
  [{ retries: 1.5 }, 'retries = 1.5 must be a whole number from 0 to 2147483647'],
  [{ retries: 0 }, 'retries = 0 without submissionRetries retries nothing: write RestartPolicy.never()'],
  [{ retries: 1, interval: Duration.seconds(0) }, 'interval = "0 s" must be whole seconds, at least 1'],
  [{ retries: 1, interval: Duration.millis(1500) }, 'interval = "1500 ms" must be whole seconds, at least 1'],
  [
    { retries: 1, exponentialBackoff: { maxInterval: Duration.millis(1) } },
    'exponentialBackoff.maxInterval = "1 ms" must be whole seconds, at least 1',
  ],
  [
    { retries: 1, interval: Duration.hours(1), exponentialBackoff: { maxInterval: Duration.minutes(1) } },
    'interval = "3600 s" must not be longer than exponentialBackoff.maxInterval, 60 s',
  ],
  [
    { retries: 1, interval: Duration.minutes(6), exponentialBackoff: {} },
    'interval = "360 s" must not be longer than exponentialBackoff.maxInterval, 300 s',
  ],
])('RestartPolicy.onFailure(%j) is rejected', (options, reason) => {
  expect(() => RestartPolicy.onFailure(options)).toThrow(`RestartPolicy.onFailure: ${reason}`);
});
