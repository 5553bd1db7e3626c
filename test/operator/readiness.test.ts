import { readiness } from '../../src/operator/readiness';

const OK = { namespace: 'a', synced: true, silentFor: 1_000 };

test.each([
  ['all namespaces are watched', [OK, { ...OK, namespace: 'b' }], 200, 'a: ok\nb: ok\n'],
  ['one was not seen yet', [OK, { namespace: 'b', synced: false, silentFor: 0 }], 503, 'a: ok\nb: the caches are not filled yet\n'],
  ['one cannot be seen', [OK, { namespace: 'b', synced: false, silentFor: 0, problem: '403 Forbidden' }], 200, 'a: ok\nb: cannot be watched: 403 Forbidden\n'],
  ['none can be seen', [{ namespace: 'b', synced: false, silentFor: 0, problem: '403 Forbidden' }], 503, 'b: cannot be watched: 403 Forbidden\n'],
  ['a watch is silent', [OK, { namespace: 'b', synced: true, silentFor: 301_000 }], 503, 'a: ok\nb: nothing was heard from the API server for 301 s\n'],
])('%s', (_, namespaces, status, body) => {
  expect(readiness(namespaces)).toEqual({ status, body });
});
