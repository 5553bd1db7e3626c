import { thing } from './helpers/things';
import { UnreadEvent } from '../../src/kube/unread-event';

const unread = (event: object | string) => new UnreadEvent(Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)));

/** A thing with resource version 7 and further metadata. */
function withMetadata(metadata: object) {
  const { metadata: own, ...object } = thing('a', 7);
  // API servers sort the keys of custom resources.
  return { ...object, metadata: Object.fromEntries(Object.entries({ ...own, ...metadata }).sort(([a], [b]) => (a < b ? -1 : 1))) };
}

test.each(['ADDED', 'MODIFIED'])('%s: the text contains the resource version', (type) => {
  expect(unread({ type, object: thing('a', 7) }).resourceVersion).toBe('7');
});

test.each(['DELETED', 'BOOKMARK', 'ERROR'])('%s must be parsed', (type) => {
  expect(unread({ type, object: thing('a', 7) }).resourceVersion).toBeUndefined();
});

test.each([
  '', '{}', 'null', '{"type":"ADDED"}', '{"type":"ADDED","object":{',
  ' {"type":"ADDED","object":{"metadata":{"resourceVersion":"7"}}}',
])(
  'a text of another form must be parsed: %s', (text) => {
    expect(unread(text).resourceVersion).toBeUndefined();
  },
);

test.each([
  ['an annotation', { annotations: { resourceVersion: '5' } }],
  ['a label', { labels: { resourceVersion: '5' } }],
  ['an annotation whose name ends with it', { annotations: { 'a"resourceVersion': '5' } }],
])('an object with a key of that name in %s must be parsed', (_, metadata) => {
  expect(unread({ type: 'MODIFIED', object: withMetadata(metadata) }).resourceVersion).toBeUndefined();
});

test('a copy of the object in an annotation, as of kubectl apply, is not mistaken for the object', () => {
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(thing('a', 5)), 'last': '"resourceVersion":"5"',
  };
  const event = unread({ type: 'MODIFIED', object: withMetadata({ annotations }) });
  expect(event.resourceVersion).toBe('7');
  expect(event.mentions('uid-a')).toBe(true);
});

test('mentions() finds the complete uid of the object and of references', () => {
  const event = unread({ type: 'ADDED', object: withMetadata({ ownerReferences: [{ uid: 'owner' }] }) });
  expect(['uid-a', 'owner', 'uid', 'a', ''].filter((uid) => event.mentions(uid))).toEqual(['uid-a', 'owner']);
});
