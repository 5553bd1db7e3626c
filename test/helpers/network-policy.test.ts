/* Each line of the API's documentation that tests rely on: https://kubernetes.io/docs/concepts/services-networking/network-policies/ */
import { isAllowed, type Connection, type PolicyPod } from './network-policy';

const pod = (namespace: string, name: string, ip: string, rest: Partial<PolicyPod> = {}): PolicyPod => ({ namespace, name, ip, labels: { app: name }, ...rest });
const WEB = pod('a', 'web', '10.0.0.1', { nodeIp: '192.168.0.1', ports: [{ name: 'http', containerPort: 8080 }, { name: 'dns', containerPort: 53, protocol: 'UDP' }] });
const DB = pod('a', 'db', '10.0.0.2', { nodeIp: '192.168.0.1' });
const OTHER = pod('b', 'web', '10.0.1.1', { nodeIp: '192.168.0.2' });
const NAMESPACES = { a: { team: 'a' }, b: { team: 'b' } };

function policy(spec: object, namespace = 'a'): object {
  return { kind: 'NetworkPolicy', metadata: { name: 'p', namespace }, spec };
}

function allows(connection: Partial<Connection>, ...policies: object[]): boolean {
  return isAllowed({ from: DB, to: WEB, port: 8080, ...connection }, { policies, namespaces: NAMESPACES });
}

const ALL = { podSelector: {} };
const INGRESS = { ...ALL, policyTypes: ['Ingress'] };

test('without a policy everything is let through', () => {
  expect(allows({})).toBe(true);
});

test('default deny: of the directions that it names, for the pods of its namespace that it selects', () => {
  expect(allows({}, policy(INGRESS))).toBe(false);
  expect(allows({}, policy({ ...INGRESS, podSelector: { matchLabels: { app: 'db' } } }))).toBe(true);
  expect(allows({ to: OTHER }, policy(INGRESS))).toBe(true);
  expect(allows({ to: OTHER }, policy({ ...ALL, policyTypes: ['Egress'] }))).toBe(false);
  expect(allows({}, policy(INGRESS, 'b'))).toBe(true);
});

test('directions that a policy does not name follow from its rules', () => {
  expect(allows({ to: OTHER }, policy(ALL))).toBe(true);
  expect(allows({}, policy(ALL))).toBe(false);
  expect(allows({ to: OTHER }, policy({ ...ALL, egress: [{ to: [{ podSelector: {} }] }] }))).toBe(false);
});

test('both ends have to let it through', () => {
  const out = policy({ ...ALL, policyTypes: ['Egress'], egress: [{}] });
  const denied = policy({ ...ALL, policyTypes: ['Ingress'] }, 'b');
  expect(allows({ to: OTHER }, out)).toBe(true);
  expect(allows({ to: OTHER }, out, denied)).toBe(false);
});

test('policies add up', () => {
  const web = policy({ ...INGRESS, ingress: [{ from: [{ podSelector: { matchLabels: { app: 'db' } } }] }] });
  expect(allows({}, policy(INGRESS), web)).toBe(true);
});

test.each([
  ['pods of the same namespace', { podSelector: { matchLabels: { app: 'db' } } }, DB, true],
  ['pods of the same namespace, not of others', { podSelector: { matchLabels: { app: 'web' } } }, OTHER, false],
  ['all pods of namespaces', { namespaceSelector: { matchLabels: { team: 'b' } } }, OTHER, true],
  ['the name of a namespace', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'b' } } }, OTHER, true],
  ['pods of namespaces: both', { namespaceSelector: {}, podSelector: { matchLabels: { app: 'db' } } }, OTHER, false],
  ['addresses outside', { ipBlock: { cidr: '203.0.113.0/24' } }, '203.0.113.9', true],
  ['addresses but some', { ipBlock: { cidr: '203.0.113.0/24', except: ['203.0.113.8/29'] } }, '203.0.113.9', false],
  ['IPv6', { ipBlock: { cidr: '2001:db8::/32' } }, '2001:db8::1', true],
  ['not the other family', { ipBlock: { cidr: '::/0' } }, '203.0.113.9', false],
  ['no pods outside', { namespaceSelector: {} }, '203.0.113.9', false],
])('from: %s', (_, peer, from, expected) => {
  expect(allows({ from }, policy({ ...INGRESS, ingress: [{ from: [peer] }] }))).toBe(expected);
});

test.each<[string, object[], Partial<Connection>, boolean]>([
  ['a number, of TCP', [{ port: 8080 }], {}, true],
  ['another number', [{ port: 8081 }], {}, false],
  ['another protocol', [{ port: 8080 }], { protocol: 'UDP' }, false],
  ['a range, its end included', [{ port: 8000, endPort: 8080 }], {}, true],
  ['beyond a range', [{ port: 8000, endPort: 8079 }], {}, false],
  ['all of a protocol', [{ protocol: 'UDP' }], { protocol: 'UDP', port: 9 }, true],
  ['a name', [{ port: 'http' }], {}, true],
  ['a name of another protocol', [{ port: 'dns' }], { port: 53 }, false],
])('ports: %s', (_, ports, connection, expected) => {
  expect(allows(connection, policy({ ...INGRESS, ingress: [{ ports }] }))).toBe(expected);
});

test('an empty list of peers, or of ports, is all of them', () => {
  expect(allows({}, policy({ ...INGRESS, ingress: [{ from: [], ports: [] }] }))).toBe(true);
});

test.each([
  [{ key: 'app', operator: 'In', values: ['web', 'x'] }, true],
  [{ key: 'app', operator: 'NotIn', values: ['web'] }, false],
  [{ key: 'tier', operator: 'NotIn', values: ['web'] }, true],
  [{ key: 'app', operator: 'Exists' }, true],
  [{ key: 'app', operator: 'DoesNotExist' }, false],
])('the selector %j', (expression, isSelected) => {
  expect(allows({}, policy({ ...INGRESS, podSelector: { matchExpressions: [expression] } }))).toBe(!isSelected);
});

test('a pod reaches itself, and its node and the pod each other, whatever policies say', () => {
  const denied = policy({ ...ALL, policyTypes: ['Ingress', 'Egress'] });
  expect(allows({ from: WEB, to: WEB }, denied)).toBe(true);
  expect(allows({ from: '192.168.0.1' }, denied)).toBe(true);
  expect(allows({ from: WEB, to: '192.168.0.1', port: 6443 }, denied)).toBe(true);
  expect(allows({ from: '192.168.0.2' }, denied)).toBe(false);
});
