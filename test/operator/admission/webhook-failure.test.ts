import { webhookFailure } from '../../../src/operator/admission/webhook-failure';

const URL = 'https://spark-operator-webhook-svc.spark-operator.svc:443/mutate--v1-pod?timeout=10s';
const called = (cause: string, name = 'mutate-pod.sparkoperator.k8s.io') => `Internal error occurred: failed calling webhook "${name}": `
  + `failed to call webhook: Post "${URL}": ${cause}`;
const failure = (serverMessage: string, status = 500) => webhookFailure({ status, serverMessage });

test.each([
  'dial tcp 10.96.12.4:443: connect: connection refused',
  'no endpoints available for service "spark-operator-webhook-svc"',
  'service "spark-operator-webhook-svc" not found',
  'context deadline exceeded',
  'EOF',
])('a webhook that does not answer (%s): the cause, and where to look', (cause) => {
  expect(failure(called(cause))).toBe(
    `the operator's webhook mutate-pod.sparkoperator.k8s.io, through which it has to go, cannot be called: ${cause}. `
    + 'Check its Deployment, Service and endpoints: kubectl -n spark-operator get deployments,services,endpointslices; '
    + 'kubectl -n spark-operator describe service spark-operator-webhook-svc; it is tried again every few seconds',
  );
});

test('a mismatched certificate', () => {
  expect(failure(called(
    'tls: failed to verify certificate: x509: certificate signed by unknown authority', 'mutate-pod-labelled.sparkoperator.k8s.io',
  ))).toBe(
    'the operator\'s webhook mutate-pod-labelled.sparkoperator.k8s.io, through which it has to go, cannot be called: tls: failed to '
      + 'verify certificate: x509: certificate signed by unknown authority. '
    + 'Check its certificate and the caBundle of its configuration: kubectl -n spark-operator get secrets; kubectl get '
    + 'mutatingwebhookconfigurations -o yaml; it is tried again every few seconds',
  );
});

test('a webhook that answers with an error', () => {
  const message = 'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: an error '
    + 'on the server ("the API server is out of reach") has prevented the request from succeeding';
  expect(failure(message)).toMatch(
    /called: an error on the server \("the API server is out of reach"\) has prevented the request from succeeding\. Check its Deploy/,
  );
});

test.each([
  ['a webhook of kubeflow\'s chart', called('connection refused', 'mutate--v1-pod.sparkoperator.k8s.io'), 500],
  ['a webhook of another owner', called('connection refused', 'policy.example.org'), 500],
  [
    'a refusal of our webhook',
    'admission webhook "mutate-pod.sparkoperator.k8s.io" denied the request: spec.executor.memoryLimit is less', 422,
  ],
  [
    'a pod that is too large for it',
    'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: the server responded '
      + 'with the status code 413 but did not return more information',
    500,
  ],
  ['a quota', 'pods "pi-driver" is forbidden: exceeded quota: team', 403],
])('%s is no failure of our webhook', (_, message, status) => {
  expect(failure(message, status)).toBeUndefined();
});
