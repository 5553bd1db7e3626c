import { readiness } from '../../src/operator/readiness';

const OK = { namespace: 'a', synced: true, silentFor: 1_000 };

test.each([
  ['all namespaces are watched', [OK, { ...OK, namespace: 'b' }], 200, 'a: ok\nb: ok\n'],
  ['one was not seen yet', [OK, { namespace: 'b', synced: false, silentFor: 0 }], 503, 'a: ok\nb: the caches are not filled yet\n'],
  ['one is refused', [OK, { namespace: 'b', synced: false, silentFor: 0, problem: '403 Forbidden', refused: true }], 200, 'a: ok\nb: cannot be watched: 403 Forbidden\n'],
  ['one that was watched is refused by now', [OK, { namespace: 'b', synced: true, silentFor: 400_000, problem: '403 Forbidden', refused: true }], 200, 'a: ok\nb: cannot be watched: 403 Forbidden\n'],
  ['one cannot be reached', [OK, { namespace: 'b', synced: false, silentFor: 0, problem: 'no route' }], 503, 'a: ok\nb: cannot be watched: no route\n'],
  ['all are refused', [{ namespace: 'b', synced: false, silentFor: 0, problem: '403 Forbidden', refused: true }], 503, 'b: cannot be watched: 403 Forbidden\n'],
  ['a watch is silent', [OK, { namespace: 'b', synced: true, silentFor: 301_000 }], 503, 'a: ok\nb: nothing was heard from the API server for 301 s\n'],
])('%s', (_, namespaces, status, body) => {
  expect(readiness(namespaces)).toEqual({ status, body });
});
