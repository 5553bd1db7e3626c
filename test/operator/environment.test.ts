import { environment } from '../../src/operator/environment';

const IN_POD = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
const missing = () => { throw new Error('no such file'); };

test.each([
  ['nowhere', {}, [], missing, { inCluster: false, namespace: undefined }],
  ['in a pod with its namespace in a variable', { ...IN_POD, POD_NAMESPACE: 'ops' }, [], missing, { inCluster: true, namespace: 'ops' }],
  ['in a pod with a service account', IN_POD, [], () => 'ops\n', { inCluster: true, namespace: 'ops' }],
  ['in a pod without anything', IN_POD, [], missing, { inCluster: true, namespace: undefined }],
  ['in a pod, but with a kubeconfig of some cluster', IN_POD, ['--kubeconfig=file'], () => 'ops', { inCluster: false, namespace: undefined }],
  ['in a pod, with a kubeconfig as two words', IN_POD, ['--kubeconfig', 'file'], () => 'ops', { inCluster: false, namespace: undefined }],
])('%s', (_, variables, args, read, expected) => expect(environment(variables, args, read)).toEqual(expected));
