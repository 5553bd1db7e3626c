import { webhookHint } from '../../../src/operator/driver/kubeflow-webhook';

test('errors about Pods that kubeflow\'s webhook breaks have a hint', () => {
  const spoilt = 'Pod "pi-driver" is invalid: metadata.ownerReferences: Invalid value: []: Only one reference can have Controller set to true. Found "true" in references for SparkApplication/pi and SparkApplication/pi';
  expect(webhookHint(spoilt)).toMatch(/^the webhook of kubeflow's operator is still there/);
  expect(
    webhookHint('Internal error occurred: failed calling webhook "mutate--v1-pod.sparkoperator.k8s.io": connection refused'),
  ).toBeDefined();
  expect(webhookHint('pods "pi-driver" is forbidden: exceeded quota')).toBeUndefined();
});
