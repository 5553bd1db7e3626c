import { outcomeOf } from '../../../src/operator/spark-submit/outcome';
import type { SparkSubmitFailure } from '../../../src/operator/spark-submit/outcome';
import { OutputTail } from '../../../src/operator/spark-submit/output';
import type { ProcessEnd } from '../../../src/operator/spark-submit/process';

const NOISE = `WARNING: Using incubator modules: jdk.incubator.vector
26/11/21 14:48:40 ERROR Client: Please check "kubectl auth can-i create pod" first. It should be yes.
`;

/** What Spark 4.1.1 prints when the API server refuses; `Status` is cut to what is read of it. */
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

function linesOf(text: string): readonly string[] {
  const tail = new OutputTail();
  tail.write(Buffer.from(text));
  return tail.lines();
}

function outcome(stderr: string, end: Partial<ProcessEnd> = {}) {
  return outcomeOf({ code: 1, signal: null, timedOut: false, stdout: [], stderr: linesOf(stderr), ...end }, 300_000);
}

const failureOf = (stderr: string, end?: Partial<ProcessEnd>) => outcome(stderr, end) as SparkSubmitFailure;

test('exit code 0: submitted, whatever it printed', () => {
  expect(outcome('26/11/21 14:48:35 INFO Client: Deployed Spark application\nException: no\n', { code: 0 })).toEqual({ kind: 'submitted' });
});

test('the driver\'s Pod exists already: not submitted, and no error', () => {
  expect(outcome(refusal(POST, 409, 'pods "pi-driver" already exists'))).toEqual({ kind: 'already-exists' });
});

test.each<[string, number, string, SparkSubmitFailure['retry']]>([
  [POST, 403, 'pods is forbidden: User "system:serviceaccount:op:op" cannot create resource "pods"', 'lasting'],
  [POST, 403, 'pods "x-driver" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1', 'passing'],
  [POST, 422, 'Pod "x" is invalid: spec.containers[0].resources.requests: Invalid value: "2"', 'final'],
  [POST, 400, 'unknown field', 'final'],
  [POST, 401, 'Unauthorized', 'lasting'],
  [POST, 500, 'Internal error occurred: failed calling webhook "x"', 'lasting'],
  [POST, 503, 'the server is currently unable to handle the request', 'passing'],
  [PATCH, 409, 'Apply failed with 1 conflict', 'passing'],
])('%s answered %i %s: %s', (request, code, message, retry) => {
  const { message: told, retry: again } = failureOf(refusal(request, code, message));
  const [method, resource] = request === POST ? ['POST', 'pods'] : ['PATCH', 'services'];

  expect(told).toBe(`failed to run spark-submit: the API server answered ${code} to ${method} of ${resource}: ${message}`);
  expect(again).toBe(retry);
});

test('the operator\'s own webhook that is out of reach is waited for, and soon tried again', () => {
  const failure = failureOf(refusal(POST, 500, 'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: Post "https://hook.spark.svc:443/mutate--v1-pod?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused'));

  expect(failure).toMatchObject({ retry: 'passing', byWebhook: true, interrupted: false });
  expect(failure.message).toMatch(/^failed to run spark-submit: the API server does not create a Pod: the operator's webhook .* cannot be called: dial tcp 10\.0\.0\.1:443: connect: connection refused\. Look at .*kubectl -n spark describe service hook;/);
});

test('a driver that is too large for it is not tried again', () => {
  const failure = failureOf(refusal(POST, 500, 'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: the server responded with the status code 413 but did not return more information'));

  expect(failure).toMatchObject({ retry: 'final', interrupted: false });
  expect(failure.message).toMatch(/a Pod: it is too large for the operator's webhook for pods, .*; move long values into a ConfigMap or Secret/);
});

// As Spark 4.1.1 prints them.
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

test.each<[string, Partial<ProcessEnd>, string]>([
  ['too long', { code: null, signal: 'SIGTERM', timedOut: true }, 'it was ended because it took longer than 300 s; its last words: resolving packages'],
  ['killed', { code: null, signal: 'SIGKILL' }, 'it was ended by SIGKILL, possibly because the operator has too little memory'],
])('%s: it may have left half of what it creates', (_, end, message) => {
  expect(failureOf('resolving packages\n', end)).toEqual({ kind: 'failed', message: `failed to run spark-submit: ${message}`, retry: 'lasting', interrupted: true });
});

test('a message is short, and without secrets', () => {
  const { message } = failureOf(`Exception in thread "main" org.apache.spark.SparkException: s3a://me:hunter2@host ${'x'.repeat(20_000)}\n`);

  expect(message).not.toContain('hunter2');
  expect(message.length).toBeLessThan(1_100);
});

describe('output', () => {
  test('is kept without stack frames, and without more than fits', () => {
    const tail = new OutputTail();
    for (let index = 0; index < 10_000; index++) tail.write(Buffer.from(`line ${index}\n\tat org.apache.X.y(X.scala:${index})\n`));
    tail.write(Buffer.from('x'.repeat(1_000_000)));
    const lines = tail.lines();

    expect(lines.at(-2)).toBe('line 9999');
    expect(lines.join('').length).toBeLessThan(32_768);
    expect(lines.filter(line => line.startsWith('\tat'))).toEqual([]);
  });

  test('may be cut anywhere, also within a character', () => {
    const tail = new OutputTail();
    for (const byte of Buffer.from('Zürich\nGenève')) tail.write(Buffer.from([byte]));

    expect(tail.lines()).toEqual(['Zürich', 'Genève']);
  });
});
