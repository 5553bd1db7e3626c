/* Causes by the error message of a status, also of older versions. */
import { causeInStatus, shownCause } from '../../../src/model/cause/status-cause';

const ended = (exitCode: number, rest: string) => causeInStatus(`driver container failed with ExitCode: ${exitCode}, Reason: Error; ${rest}`);

test.each([
  [11, 'last output: nothing to do', 'the driver ended with exit code 11; last output: nothing to do'],
  [101, 'last output: nothing to do', 'the driver ended with exit code 101; last output: nothing to do'],
  [127, 'last output: x', 'the driver ended with exit code 127: the command was not found; last output: x'],
  [52, 'out of memory: a Java OutOfMemoryError', 'the driver ended with exit code 52: out of memory: a Java OutOfMemoryError'],
  [143, 'terminated by SIGTERM', 'the driver ended with exit code 143: terminated by SIGTERM'],
  [137, 'Evicted: The node was low on resource: memory.; line 1\nline 2', 'Evicted: The node was low on resource: memory.'],
  [1, 'row 1\nno rows', 'the driver ended with exit code 1; last output: no rows'],
  [1, 'Traceback (most recent call last):\n  File "/opt/job.py", line 3, in <module>\nValueError: no rows', 'ValueError: no rows (job.py:3)'],
])('exit code %d; %s', (exitCode, rest, cause) => expect(ended(exitCode, rest)).toBe(cause));

test('a message of several lines about another container becomes one line', () => {
  expect(causeInStatus('init container fetch failed with ExitCode: 1, Reason: Error; cannot connect\n  to the host\n'))
    .toBe('init container fetch failed with ExitCode: 1, Reason: Error; cannot connect to the host');
});

test.each([
  ['the API server does not create Pod pi-driver: no', 'the API server does not create Pod pi-driver: no'],
  ['the API server does not create a Pod: no', 'failed to run spark-submit: the API server does not create a Pod: no'],
  ['it took longer than 60 s', 'failed to run spark-submit: it took longer than 60 s'],
])('users read about spark-submit only if it ran: %s', (reason, cause) => {
  expect(causeInStatus(`failed to run spark-submit: ${reason}`)).toBe(`failed to run spark-submit: ${reason}`);
  expect(shownCause(`failed to run spark-submit: ${reason}`)).toBe(cause);
});

test('the cause of a driver that did not start begins with the reason of its pod', () => {
  const failed = 'driver does not start: FailedMount: MountVolume.SetUp failed for volume "c-vol" : configmap "c" not found (waited 300 s for it)';
  expect(shownCause(failed)).toBe('FailedMount: configmap "c" not found (waited 300 s for it)');
  expect(causeInStatus(failed)).toBe(failed);
});
