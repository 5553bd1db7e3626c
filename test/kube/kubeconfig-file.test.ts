import { kubeconfigFiles } from '../../src/kube/kubeconfig-file';

test.each([
  ['KUBECONFIG', { KUBECONFIG: '/a' }, ['/a', '/home/me/.kube/config'], ['/a']],
  ['those of a list that are there', { KUBECONFIG: '/a:/b::/c' }, ['/b', '/c'], ['/b', '/c']],
  ['the first of a list of which none is there, so that the error names it', { KUBECONFIG: '/a:/b' }, [], ['/a']],
  ["the user's own", {}, ['/home/me/.kube/config'], ['/home/me/.kube/config']],
  ["the user's own, if the variable is empty", { KUBECONFIG: '' }, ['/home/me/.kube/config'], ['/home/me/.kube/config']],
  ['none: the service account of the pod', {}, [], []],
])('%s', (_, environment, files: readonly string[], expected) => {
  expect(kubeconfigFiles(environment, (path) => files.includes(path), '/home/me')).toEqual(expected);
});
