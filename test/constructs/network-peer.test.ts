import { NetworkPeer } from '../../src';

test.each<[string, () => NetworkPeer, string]>([
  ['a namespace', () => NetworkPeer.namespace('Foo Bar'), 'NetworkPeer.namespace: name = "Foo Bar" is not a name'],
  [
    'a label of pods', () => NetworkPeer.pods({ labels: { app: 'c d' } }),
    'NetworkPeer.pods: labels[app] = "c d" must have at most 63 letters',
  ],
  [
    'a label of namespaces', () => NetworkPeer.pods({ namespaceLabels: { 'a b': 'c' } }),
    'NetworkPeer.pods: namespaceLabels[a b] is not the name of a label',
  ],
])('%s that is invalid is rejected, because the peer would match no pod', (_, peer, message) => {
  expect(peer).toThrow(message);
});
