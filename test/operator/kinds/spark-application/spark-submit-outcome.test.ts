import { viewOf } from '../../../../src/model/pod-view';
import { outcomeOf, type SparkSubmitFailure } from '../../../../src/operator/kinds/spark-application/spark-submit-outcome';

const NOISE = `WARNING: Using incubator modules: jdk.incubator.vector
26/11/21 14:48:40 ERROR Client: Please check "kubectl auth can-i create pod" first. It should be yes.
`;

/**
 * Returns what Spark 4.1.1 prints when the API server rejects a request. `Status` has only the
 * fields that the operator reads.
 */
function refusal(request: string, code: number, message: string): string {
  const status = `Status(apiVersion=v1, code=${code}, details=null, kind=Status, message=${message}, reason=X, status=Failure, additionalProperties={}).`;
  const exception = `io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: ${request}. Message: ${message}. Received status: ${status}`;
  return `${NOISE}Exception in thread "main" ${exception}
	at io.fabric8.kubernetes.client.KubernetesClientException.copyAsCause(KubernetesClientException.java:205)
	at org.apache.spark.deploy.SparkSubmit$$anon$2.doSubmit(SparkSubmit.scala:1132)
Caused by: ${exception}
	... 15 more
`;
}

const POST = 'POST at: https://10.0.0.1/api/v1/namespaces/jobs/pods';
const PATCH = 'PATCH at: https://10.0.0.1/api/v1/namespaces/jobs/services/pi-driver-svc?fieldManager=fabric8&force=true';

/** Result in the status of the Pod. */
interface End {
  readonly exitCode?: number;
  readonly reason?: string;
  /** Status of the Pod. */
  readonly status?: object;
}

function outcome(message: string, { exitCode = 1, reason = 'Error', status }: End = {}) {
  return outcomeOf(viewOf({
    metadata: { name: 'pi-submit', labels: { 'spark-role': 'submitter' } },
    status: {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      containerStatuses: [
        { name: 'mesh', state: { running: {} } }, { name: 'spark-submit', state: { terminated: { exitCode, reason, message } } },
      ],
      ...status,
    },
  } as never), 300_000);
}

const failureOf = (message: string, end?: End) => outcome(message, end) as SparkSubmitFailure;

test('exit code 0: submitted, whatever it printed', () => {
  expect(
    outcome('26/11/21 14:48:35 INFO Client: Deployed Spark application\nException: no\n', { exitCode: 0 }),
  ).toEqual({ kind: 'submitted' });
});

test('a package of Maven that does not exist is named', () => {
  const message = 'Exception in thread "main" java.lang.RuntimeException: [unresolved dependency: com.acme#nothing;1.0: not found]\n\tat a.b';
  expect(failureOf(message).message).toBe('failed to run spark-submit: Maven package com.acme:nothing:1.0 was not found');
});

test('an existing driver Pod is neither a submission nor an error', () => {
  expect(outcome(refusal(POST, 409, 'pods "pi-driver" already exists'))).toEqual({ kind: 'already-exists' });
});

test.each<[string, number, string, SparkSubmitFailure['retry']]>([
  [POST, 403, 'pods "x-driver" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1', 'passing'],
  [POST, 422, 'Pod "x" is invalid: spec.containers[0].resources.requests: Invalid value: "2"', 'final'],
  [POST, 400, 'unknown field', 'final'],
  [POST, 401, 'Unauthorized', 'lasting'],
  [POST, 500, 'Internal error occurred: failed calling webhook "x"', 'lasting'],
  [POST, 503, 'the server is currently unable to handle the request', 'passing'],
  [PATCH, 409, 'Apply failed with 1 conflict', 'passing'],
])('%s answered %i %s: %s', (request, code, message, retry) => {
  const { message: reported, retry: again } = failureOf(refusal(request, code, message));
  const [method, resource] = request === POST ? ['POST', 'pods'] : ['PATCH', 'services'];

  expect(reported).toBe(`failed to run spark-submit: the API server answered ${code} to ${method} of ${resource}: ${message}`);
  expect(again).toBe(retry);
});

test('a permission that the service account lacks is named', () => {
  const message = 'pods is forbidden: User "system:serviceaccount:jobs:spark" cannot create resource "pods" in API group "" in the namespace "jobs"';
  expect(failureOf(refusal(POST, 403, message))).toMatchObject({
    message: 'failed to run spark-submit: the service account jobs/spark has no permission to create pods in namespace jobs', retry: 'lasting',
  });
});

test('the operator waits for its own webhook that is out of reach, and soon retries', () => {
  const failure = failureOf(
    refusal(
      POST,
      500,
      'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: Post "https://hook.spark.svc:443/mutate--v1-pod?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused',
    ),
  );

  expect(failure).toMatchObject({ retry: 'passing', byWebhook: true, interrupted: false });
  expect(failure.message).toMatch(
    /^failed to run spark-submit: the API server does not create a Pod: the operator's webhook .* cannot be called: dial tcp 10\.0\.0\.1:443: connect: connection refused\. Check .*kubectl -n spark describe service hook;/,
  );
});

test('a driver that is too large for it is not retried', () => {
  const failure = failureOf(
    refusal(
      POST,
      500,
      'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: the server responded with the status code 413 but did not return more information',
    ),
  );

  expect(failure).toMatchObject({ retry: 'final', interrupted: false });
  expect(failure.message).toMatch(
    /a Pod: it is too large for the operator's webhook for pods, .*; move long values into a ConfigMap or Secret/,
  );
});

// Spark 4.1.1 prints them like this.
test.each<[string, string, SparkSubmitFailure['retry']]>([
  [
    'Exception in thread "main" org.apache.spark.SparkException: Please specify spark.kubernetes.file.upload.path property.\n\tat org.apache.X.y(X.scala:1)\n',
    'Please specify spark.kubernetes.file.upload.path property.', 'final',
  ],
  [
    'Exception in thread "main" java.lang.RuntimeException: java.lang.ClassNotFoundException: Class org.apache.hadoop.fs.s3a.S3AFileSystem not found\n'
    + '\tat org.apache.X.y(X.scala:1)\nCaused by: java.lang.ClassNotFoundException: Class org.apache.hadoop.fs.s3a.S3AFileSystem not found\n\t... 22 more\n',
    'ClassNotFoundException: Class org.apache.hadoop.fs.s3a.S3AFileSystem not found', 'final',
  ],
  [
    'Exception in thread "main" java.lang.IllegalArgumentException: requirement failed: Keytab file: /nix does not exist\n',
    'Keytab file: /nix does not exist', 'final',
  ],
  [
    '26/11/21 14:50:00 ERROR KubernetesUtils: Encountered exception\nio.fabric8.kubernetes.client.KubernetesClientException: An error has occurred.\n'
    + 'Exception in thread "main" org.apache.spark.SparkException: Could not load pod from template file.\n'
    + 'Caused by: io.fabric8.kubernetes.client.KubernetesClientException: An error has occurred.\n'
    + 'Caused by: java.io.FileNotFoundException: /nix.yaml (No such file or directory)\n',
    'Could not load pod from template file: FileNotFoundException: /nix.yaml (No such file or directory)', 'final',
  ],
  [
    'Exception in thread "main" io.fabric8.kubernetes.client.KubernetesClientException: An error has occurred.\n'
    + 'Caused by: java.io.IOException: Connection refused: /10.0.0.1:443\n'
    + 'Caused by: io.netty.channel.AbstractChannel$AnnotatedConnectException: Connection refused: /10.0.0.1:443\n'
    + 'Caused by: java.net.ConnectException: Connection refused\n',
    'the API server is out of reach: ConnectException: Connection refused', 'passing',
  ],
  [
    'Exception in thread "main" org.apache.spark.SparkException: Uploading file /a.jar failed...\nCaused by: java.net.UnknownHostException: storage\n',
    'Uploading file /a.jar failed: UnknownHostException: storage', 'lasting',
  ],
  ['Error: Unrecognized option: -x\n\nUsage: spark-submit [options] <app jar>\nOptions:\n', 'Error: Unrecognized option: -x', 'lasting'],
  ['/opt/spark/bin/spark-class: line 71: /nix/java: No such file or directory\n', '/opt/spark/bin/spark-class: line 71: /nix/java: No such file or directory', 'lasting'],
  ['', 'it ended with exit code 1', 'lasting'],
])('%j', (stderr, message, retry) => {
  expect(failureOf(stderr)).toEqual({ kind: 'failed', message: `failed to run spark-submit: ${message}`, retry, interrupted: false });
});

test.each<[string, End, string]>([
  ['too long', {
    status: { reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' },
  }, 'it took longer than 300 s; its last line: resolving packages'],
  ['too much memory', { exitCode: 137, reason: 'OOMKilled' }, "it was terminated: OOMKilled; its limit is the driver's, at most 1Gi"],
  ['killed', { exitCode: 137 }, 'it was terminated: signal 9'],
  ['evicted', { exitCode: 143, status: { reason: 'Evicted', message: 'low on memory' } }, 'it was terminated: Evicted: low on memory'],
  ['its node is gone', { status: { reason: 'NodeLost', containerStatuses: [] } }, 'its Pod was terminated: NodeLost'],
])('%s: it can have left a driver without its Service and ConfigMap', (_, end, message) => {
  expect(failureOf('resolving packages\n', end)).toEqual({
    kind: 'failed', message: `failed to run spark-submit: ${message}`, retry: 'lasting', interrupted: true,
  });
});

test('the operator reads an exception and its cause, each of one KB', () => {
  const exception = (text: string) => `org.apache.spark.SparkException: ${text}`;
  const message = `Exception in thread "main" ${exception('m'.repeat(1_000))}\n\tat org.X.y(X.scala:1)\nCaused by: ${exception(`c${'c'.repeat(800)}`)}\n`;
  expect(failureOf(message).message).toMatch(/: m{900,}…$/);
});

test('a message is short, and without secrets', () => {
  const { message } = failureOf(
    `Exception in thread "main" org.apache.spark.SparkException: s3a://me:hunter2@host ${'x'.repeat(20_000)}\n`,
  );

  expect(message).not.toContain('hunter2');
  expect(message.length).toBeLessThan(1_100);
});
