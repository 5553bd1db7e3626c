/* Classes of failures for metrics. */
import { failureClass } from '../../../src/model/cause/failure-class';

const driver = (exitCode: number, reason: string, cause?: string) => [`driver container failed with ExitCode: ${exitCode}, Reason: ${reason}`, cause].filter(Boolean).join('; ');

test.each([
  [driver(137, 'OOMKilled'), 'OOMKilled'],
  [driver(1, 'Error', 'executor 2 was killed with exit code 137 (OOMKilled): its container exceeded its memory limit'), 'OOMKilled'],
  [driver(1, 'Error', 'OutOfMemoryError: Java heap space in executor 2'), 'OutOfMemoryError'],
  [driver(1, 'Error', 'ValueError: no rows (job.py:3)'), 'Exception'],
  [driver(1, 'Error', '[TABLE_OR_VIEW_NOT_FOUND] The table or view `a` cannot be found.'), 'Exception'],
  [driver(3, 'Error', 'last output: found 0 rows'), 'ExitCode'],
  [driver(143, 'Error', 'terminated by SIGTERM'), 'Killed'],
  [driver(143, 'Error', 'its pod was deleted'), 'Killed'],
  ['Evicted: The node was low on resource: memory.', 'Evicted'],
  ['driver does not start: ImagePullBackOff: Back-off pulling image "x"', 'ImagePull'],
  ['pods "x" is forbidden: exceeded quota: compute', 'Quota'],
  [driver(1, 'Error', 'the service account jobs/spark has no permission to create pods in namespace jobs'), 'Forbidden'],
  ['the attempt took longer than activeDeadlineSeconds allows (60 s)', 'Deadline'],
  ['driver pod not found: it was deleted, or its node is gone', 'DriverLost'],
  ['failed to run spark-submit: it took longer than 60 s', 'Submission'],
  [driver(1, 'Error', 'OSError: [Errno 101] Network is unreachable (job.py:3)'), 'Exception'],
  [driver(1, 'Error', 'RetryError: DeadlineExceeded: 504 Deadline Exceeded (job.py:3)'), 'Exception'],
  [driver(1, 'Error', 'DeadlineExceeded: 504 Deadline Exceeded (job.py:3)'), 'Exception'],
  ['something new', 'Other'],
])('%s', (message, name) => expect(failureClass(message)).toBe(name));
