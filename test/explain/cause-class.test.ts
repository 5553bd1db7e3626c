/* Causes of failures in a word or two, for lists. */
import { causeClass } from '../../src/explain/cause-class';

test.each([
  ["driver container failed with ExitCode: 137, Reason: OOMKilled; the driver's container exceeded its memory limit of 1408Mi", 'OOMKilled'],
  ['driver container failed with ExitCode: 1, Reason: Error; executor 2 was killed with exit code 137 (OOMKilled): its container exceeded its memory limit', 'executor OOMKilled'],
  ['driver container failed with ExitCode: 1, Reason: Error; ValueError: no rows (job.py:3)', 'ValueError'],
  ['driver container failed with ExitCode: 1, Reason: Error; [TABLE_OR_VIEW_NOT_FOUND] The table or view `a` cannot be found.', 'TABLE_OR_VIEW_NOT_FOUND'],
  ['driver container failed with ExitCode: 1, Reason: Error; the service account jobs/spark has no permission to create pods in namespace jobs', 'cannot create pods'],
  ['driver container failed with ExitCode: 1, Reason: Error; AccessDeniedException: s3a://lake/orders: S3Exception: null (job.py:3)', 'AccessDeniedException'],
  ['failed to run spark-submit: Maven package a:b:1 was not found', 'Maven package not found'],
  ['driver container failed with ExitCode: 3, Reason: Error; last output: row 7', 'exit code 3'],
])('%s', (message, name) => expect(causeClass(message)).toBe(name));

test.each(['A', 'A.', '_$', 'Error', 'ExitCode: ', '; '])('a long message of %j costs little', (part) => {
  const begin = process.cpuUsage();
  causeClass(`driver container failed with ExitCode: 1, Reason: Error; ${part.repeat(100_000 / part.length)}`);
  expect(process.cpuUsage(begin).user).toBeLessThan(1_000_000);
});
