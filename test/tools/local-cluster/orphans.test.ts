import { orphansAmong, type InitFacts } from '../../../tools/local-cluster/cluster/orphans.ts';
import type { RunningInit } from '../../../tools/local-cluster/sandbox/sandbox.ts';

const init = (cluster: string, cache = '/cache', state = `${cache}/clusters/${cluster}`): RunningInit => (
  { pid: 1, program: 'cluster-init', args: [cluster, state], cluster, state }
);
const ORPHAN: InitFacts = { user: 0, isInNetwork: true, hasFolder: false };

test('a cluster whose folder was deleted while it ran is an orphan, and another one is not', () => {
  const inits = [init('orphan', '/deleted'), init('whole')];
  const found = orphansAmong(inits, ({ cluster }) => ({ ...ORPHAN, hasFolder: cluster === 'whole' }));
  expect(found.map(({ state }) => state)).toEqual(['/deleted/clusters/orphan']);
});

test.each<[why: string, RunningInit, Partial<InitFacts>]>([
  ['it is the process of an ordinary user', init('a'), { user: 1000 }],
  ['it is not in the network of the cluster', init('a'), { isInNetwork: false }],
  ['its folder is not one of clusters', init('a', '/cache', '/etc'), {}],
  ['its folder is of another name', init('a', '/cache', '/cache/clusters/b'), {}],
  ['its name leads elsewhere', init('../a'), {}],
  ['its name is empty', init(''), {}],
])('a process that only looks like the first one of a cluster is left alone: %s', (_, process, facts) => {
  expect(orphansAmong([process], () => ({ ...ORPHAN, ...facts }))).toEqual([]);
});

test('a name that a cluster with a folder has too is left alone: both would have the same network', () => {
  const found = orphansAmong([init('a', '/deleted'), init('a')], ({ state }) => ({ ...ORPHAN, hasFolder: state.startsWith('/cache') }));
  expect(found).toEqual([]);
});
