import { thing } from './helpers/things';
import { UnreadEvent } from '../../src/kube/unread-event';

const unread = (event: object | string) => new UnreadEvent(Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)));

/** A thing of resource version 7, with more in its metadata. */
function withMetadata(metadata: object) {
  const { metadata: own, ...object } = thing('a', 7);
  // As an API server writes objects of custom resources: sorted.
  return { ...object, metadata: Object.fromEntries(Object.entries({ ...own, ...metadata }).sort(([a], [b]) => (a < b ? -1 : 1))) };
}

test.each(['ADDED', 'MODIFIED'])('%s: the resource version is found in the text', (type) => {
  expect(unread({ type, object: thing('a', 7) }).resourceVersion).toBe('7');
});

test.each(['DELETED', 'BOOKMARK', 'ERROR'])('%s has to be read', (type) => {
  expect(unread({ type, object: thing('a', 7) }).resourceVersion).toBeUndefined();
});

test.each(['', '{}', 'null', '{"type":"ADDED"}', '{"type":"ADDED","object":{', ' {"type":"ADDED","object":{"metadata":{"resourceVersion":"7"}}}'])(
  'what is of another form has to be read: %s', (text) => {
    expect(unread(text).resourceVersion).toBeUndefined();
  },
);

test.each([
  ['an annotation', { annotations: { resourceVersion: '5' } }],
  ['a label', { labels: { resourceVersion: '5' } }],
  ['an annotation whose name ends with it', { annotations: { 'a"resourceVersion': '5' } }],
])('an object with a key of that name in %s has to be read', (_, metadata) => {
  expect(unread({ type: 'MODIFIED', object: withMetadata(metadata) }).resourceVersion).toBeUndefined();
});

test('a copy of the object in an annotation, such as kubectl apply leaves, is only text', () => {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(thing('a', 5)), 'last': '"resourceVersion":"5"' };
  const event = unread({ type: 'MODIFIED', object: withMetadata({ annotations }) });
  expect(event.resourceVersion).toBe('7');
  expect(event.mentions('uid-a')).toBe(true);
});

test('mentions the uid of the object and of those that it refers to, whole', () => {
  const event = unread({ type: 'ADDED', object: withMetadata({ ownerReferences: [{ uid: 'owner' }] }) });
  expect(['uid-a', 'owner', 'uid', 'a', ''].filter((uid) => event.mentions(uid))).toEqual(['uid-a', 'owner']);
});
