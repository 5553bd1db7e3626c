import { isOwnPod } from '../../src/model/own-pod';

test.each([
  ['a pod with the uid of the object', { 'sparkoperator.k8s.io/app-uid': 'new' }, true],
  ['a pod of a deleted object with the same name', { 'sparkoperator.k8s.io/app-uid': 'old' }, false],
  ["a pod of kubeflow's operator, without a uid", { 'spark-role': 'driver' }, true],
  ['a pod without labels', undefined, true],
])('%s', (_, labels, isOwn) => {
  expect(isOwnPod({ metadata: { labels } }, { metadata: { uid: 'new' } })).toBe(isOwn);
});
