/* Causes of failures: in a word or two for lists, and as a group for metrics. */
import { CAUSE_GROUPS, causeClass } from '../../../src/model/cause/cause-class';

const driver = (exitCode: number, reason: string, cause?: string) => [`driver container failed with ExitCode: ${exitCode}, Reason: ${reason}`, cause].filter(Boolean).join('; ');
const program = (cause: string) => driver(1, 'Error', cause);

const CASES: readonly (readonly [message: string, words: string | undefined, group: string])[] = [
  [driver(137, 'OOMKilled', "the driver's container exceeded its memory limit of 1408Mi"), 'OOMKilled', 'OOMKilled'],
  [driver(137, 'OOMKilled', '-driver-svc.jobs.svc, 7079, None)'), 'OOMKilled', 'OOMKilled'],
  [program('executor 2 was killed with exit code 137 (OOMKilled): its container exceeded its memory limit'), 'executor OOMKilled', 'OOMKilled'],
  [program('executor 3 ended with exit code 137 (killed by SIGKILL)'), 'executor killed', 'Killed'],
  [program('a Python worker crashed in executor 2, often at the memory limit of its container (job.py:9)'), 'Python worker crashed', 'Exception'],
  [program('Maven package a:b:1 was not found: the host repo.example.org of a repository is unknown'), 'repository host unknown', 'Exception'],
  [driver(2, 'Error', "python3: can't open file '/opt/no.py': [Errno 2] No such file or directory"), 'file not found', 'Exception'],
  [program('the driver did not reach the API server in time (TimeoutException)'), 'API server out of reach', 'Exception'],
  ['the driver did not reach the API server in time (TimeoutException)', 'API server out of reach', 'Exception'],
  [program('executor 3 ended with exit code 1'), 'executor lost', 'Exception'],
  [program('OutOfMemoryError: Java heap space in executor 2'), 'OutOfMemoryError', 'OutOfMemoryError'],
  [driver(52, 'Error'), 'exit code 52', 'OutOfMemoryError'],
  [program('ValueError: no rows (job.py:3)'), 'ValueError', 'Exception'],
  [program('ValueError: the pod was OOMKilled, Unschedulable and forbidden (job.py:3)'), 'ValueError', 'Exception'],
  [program('pyspark.errors.exceptions.captured.AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table'), 'AnalysisException', 'Exception'],
  [program('py4j.protocol.Py4JJavaError: An error occurred\n: org.apache.spark.SparkException: Job aborted\nCaused by: java.io.IOException: disk'), 'IOException', 'Exception'],
  [program('[TABLE_OR_VIEW_NOT_FOUND] The table or view `a` cannot be found.'), 'TABLE_OR_VIEW_NOT_FOUND', 'Exception'],
  [program('AccessDeniedException: s3a://lake/orders: S3Exception: null (job.py:3)'), 'AccessDeniedException', 'Exception'],
  [program('OSError: [Errno 101] Network is unreachable (job.py:3)'), 'OSError', 'Exception'],
  [program('RetryError: DeadlineExceeded: 504 Deadline Exceeded (job.py:3)'), 'RetryError', 'Exception'],
  [program('DeadlineExceeded: 504 Deadline Exceeded (job.py:3)'), 'DeadlineExceeded', 'Exception'],
  [program('Error in read.df(path) : no such file'), 'R error', 'Exception'],
  [program("the driver's service account has no permission to watch pods in namespace jobs"), 'cannot watch pods', 'Forbidden'],
  [program('the service account jobs/spark has no permission to create pods in namespace jobs'), 'cannot create pods', 'Forbidden'],
  ['failed to run spark-submit: Maven package a:b:1 was not found', 'Maven package not found', 'Exception'],
  [driver(3, 'Error', 'last output: row 7'), 'exit code 3', 'ExitCode'],
  [driver(128, 'StartError'), 'StartError', 'ExitCode'],
  [driver(143, 'Error', 'terminated by SIGTERM'), 'SIGTERM', 'Killed'],
  [driver(143, 'Error', 'its pod was deleted'), 'pod deleted', 'Killed'],
  ['Evicted: The node was low on resource: memory.', 'Evicted', 'Evicted'],
  [driver(137, 'Error', 'Evicted: The node was low on resource: memory.'), 'Evicted', 'Evicted'],
  ['driver does not start: ImagePullBackOff: Back-off pulling image "x" (the operator gave up after 5m)', 'ImagePullBackOff', 'ImagePull'],
  ['driver does not start: CreateContainerConfigError: secret "keys" not found', 'CreateContainerConfigError', 'Submission'],
  ['pods "x" is forbidden: exceeded quota: compute', 'quota exceeded', 'Quota'],
  ['pods "x" is forbidden: violates PodSecurity "restricted:latest"', 'forbidden', 'Forbidden'],
  ['driver does not start: Unschedulable: 0/1 nodes are available: 1 Insufficient cpu. (activeDeadlineSeconds are over: 60)', 'Unschedulable', 'Unschedulable'],
  ['driver does not start: FailedMount: secret "k" not found (activeDeadlineSeconds are over: 60)', 'FailedMount', 'Submission'],
  ['driver does not start: FailedAttachVolume: rpc error: code = DeadlineExceeded (activeDeadlineSeconds are over: 60)', 'FailedAttachVolume', 'Submission'],
  ['driver does not start: SchedulingGated (activeDeadlineSeconds are over)', 'SchedulingGated', 'Submission'],
  ['the attempt took longer than activeDeadlineSeconds allows (60 s)', 'DeadlineExceeded', 'Deadline'],
  ['driver pod not found: it was deleted, or its node is gone', 'driver lost', 'DriverLost'],
  ['failed to run spark-submit: it took longer than 60 s', undefined, 'Submission'],
  ['something new', undefined, 'Other'],
  ['', undefined, 'Other'],
];

test.each(CASES)('%s', (message, words, group) => {
  expect(causeClass(message)).toEqual({ group, ...(words !== undefined && { words }) });
});

test('each group has a case', () => {
  expect(new Set(CASES.map(([, , group]) => group)).add('Unschedulable')).toEqual(new Set(CAUSE_GROUPS));
  expect(causeClass('driver does not start: Unschedulable: 0/1 nodes are available')).toEqual({ words: 'Unschedulable', group: 'Unschedulable' });
});

test.each(['A', 'A.', '_$', 'Error', 'ExitCode: ', '; '])('a long message of %j costs little', (part) => {
  const begin = process.cpuUsage();
  causeClass(program(part.repeat(100_000 / part.length)));
  expect(process.cpuUsage(begin).user).toBeLessThan(1_000_000);
});
