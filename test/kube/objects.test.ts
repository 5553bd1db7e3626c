import * as fc from 'fast-check';
import { compareResourceVersions, keyOf, parseKey } from '../../src/kube/objects';
import { apiVersionOf, defineResource, pathOf } from '../../src/kube/resource';
import { THINGS } from './helpers/things';

const PODS = defineResource({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true });
const NODES = defineResource({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false });

describe('keys', () => {
  test('name an object and can be parsed', () => {
    expect(keyOf({ namespace: 'a', name: 'b' })).toBe('a/b');
    expect(keyOf({ name: 'b' })).toBe('b');
    expect(parseKey('a/b')).toEqual({ namespace: 'a', name: 'b' });
    expect(parseKey('b')).toEqual({ name: 'b' });
  });
});

describe('resource versions', () => {
  test('are compared as numbers of any length', () => {
    fc.assert(fc.property(fc.bigInt({ min: 1n, max: 10n ** 40n }), fc.bigInt({ min: 1n, max: 10n ** 40n }), (a, b) => {
      expect(Math.sign(compareResourceVersions(String(a), String(b))!)).toBe(a < b ? -1 : a > b ? 1 : 0);
    }));
  });

  test.each([undefined, '', 'abc', '0', '012', '1.5', '-3'])('that are not numbers (%p) cannot be compared', (odd) => {
    expect(compareResourceVersions(odd, '5')).toBeUndefined();
    expect(compareResourceVersions('5', odd)).toBeUndefined();
  });
});

describe('paths', () => {
  test.each([
    [pathOf(PODS), '/api/v1/pods'],
    [pathOf(PODS, 'jobs'), '/api/v1/namespaces/jobs/pods'],
    [pathOf(PODS, 'jobs', 'pi-driver'), '/api/v1/namespaces/jobs/pods/pi-driver'],
    [pathOf(THINGS, 'jobs', 'pi', 'status'), '/apis/test.dev/v1/namespaces/jobs/things/pi/status'],
    [pathOf(NODES, undefined, 'n1'), '/api/v1/nodes/n1'],
    [pathOf(PODS, 'jobs', 'a b/../%2e?x#y'), '/api/v1/namespaces/jobs/pods/a%20b%2F..%2F%252e%3Fx%23y'],
  ])('%s', (path, expected) => {
    expect(path).toBe(expected);
  });

  test.each(['', '.', '..'])('reject the name %p, which would lead to another path', (name) => {
    expect(() => pathOf(PODS, 'jobs', name)).toThrow('cannot be a name');
    expect(() => pathOf(PODS, name)).toThrow('cannot be a namespace');
  });

  test('reject a namespace that is not allowed, and a missing one', () => {
    expect(() => pathOf(NODES, 'jobs', 'n1')).toThrow('nodes have no namespace');
    expect(() => pathOf(PODS, undefined, 'pi')).toThrow('pods need a namespace');
  });

  test('belong to an apiVersion', () => {
    expect(apiVersionOf(PODS)).toBe('v1');
    expect(apiVersionOf(THINGS)).toBe('test.dev/v1');
  });
});
