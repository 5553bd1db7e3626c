import { merged } from '../../../src/operator/owned/merge';

const WANTED: any = {
  metadata: { name: 's', labels: { ours: '1' }, ownerReferences: [{ uid: 'application', controller: true }] },
  spec: { type: 'ClusterIP', selector: { role: 'driver' }, ports: [{ name: 'ui', port: 80 }] },
};
const LIVE: any = {
  metadata: {
    name: 's', uid: 'u', labels: { ours: '1', theirs: '2' }, finalizers: ['f'], ownerReferences: [
      { uid: 'application', controller: true, blockOwnerDeletion: true },
    ],
  },
  spec: {
    type: 'ClusterIP', clusterIP: '10.0.0.1', selector: { role: 'driver' }, ports: [
      { name: 'ui', port: 80, protocol: 'TCP', nodePort: 30_000 },
    ],
  },
};

test('an object with all wanted content remains unchanged, with additions of others', () => {
  expect(merged(LIVE, WANTED)).toBe(LIVE);
});

test.each<[string, (live: any) => void, (merged: any) => unknown, unknown]>([
  ['a value', (live) => { live.spec.type = 'NodePort'; }, ({ spec }) => [spec.type, spec.clusterIP], ['ClusterIP', '10.0.0.1']],
  ['a label', (live) => { delete live.metadata.labels.ours; }, ({ metadata }) => metadata.labels, { theirs: '2', ours: '1' }],
  ['a field of an item', (live) => { live.spec.ports[0].port = 81; }, ({ spec }) => spec.ports, [
    { name: 'ui', port: 80, protocol: 'TCP', nodePort: 30_000 },
  ]],
  [
    'a list of another length', (live) => { live.spec.ports.push({ name: 'more', port: 1 }); }, ({ spec }) => spec.ports,
    [{ name: 'ui', port: 80 }],
  ],
  ['a selector with more in it', (live) => { live.spec.selector.version = '2'; }, ({ spec }) => spec.selector, { role: 'driver' }],
  ['an owner that is missing, beside one that was added', (live) => {
    live.metadata.ownerReferences = [
      { uid: 'other' },
    ];
  }, ({ metadata }) => metadata.ownerReferences, [
    { uid: 'other' }, { uid: 'application', controller: true },
  ]],
])('repairs %s', (_, change, part, expected) => {
  const live = structuredClone(LIVE);
  change(live);
  const result = merged(live, WANTED);

  expect(part(result)).toEqual(expected);
  expect(merged(result, WANTED)).toBe(result);
});
