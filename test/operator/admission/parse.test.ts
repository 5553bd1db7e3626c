import { MAX_DEPTH, MAX_VALUES } from '../../../src/operator/admission/limits';
import { NotAReview, parseReview } from '../../../src/operator/admission/parse';
import { review } from './helpers';

const parse = (value: unknown) => parseReview(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));

test('the parsed review for a handler', () => {
  expect(parse(review())).toEqual({
    uid: 'a-uid', operation: 'CREATE', kind: { group: 'sparkoperator.k8s.io', version: 'v1beta2', kind: 'SparkApplication' },
    namespace: 'jobs', name: 'pi', dryRun: false,
    object: { metadata: { name: 'pi', namespace: 'jobs' }, spec: {} },
  });
});

test('an update of a subresource, with a dry run, of the core group, without a name', () => {
  const oldObject = { metadata: {} };
  expect(parse(review({
    operation: 'UPDATE', subResource: 'status', dryRun: true, kind: { version: 'v1', kind: 'Pod' }, name: '', oldObject,
  }))).toMatchObject({
    operation: 'UPDATE', subResource: 'status', dryRun: true, kind: { group: '', version: 'v1', kind: 'Pod' }, name: '', oldObject,
  });
});

test('it checks only the fields that all objects have, because mutating webhooks run before the schema', () => {
  const object = { metadata: { name: 'pi', labels: { a: 'b' }, annotations: null }, spec: 5, status: [[]], ['__proto__']: 1 };
  expect(parse(review({ object })).object).toEqual(object);
});

test.each<[string, unknown, string]>([
  ['null', 'null', 'not a JSON object'],
  ['a list', '[]', 'not a JSON object'],
  ['no JSON', '{"apiVersion":', 'not JSON'],
  ['an older version', { ...review(), apiVersion: 'admission.k8s.io/v1beta1' }, 'admissionReviewVersions: [v1]'],
  ['another kind', { ...review(), kind: 'ConversionReview' }, 'only AdmissionReview'],
  ['an answer', { ...review(), request: undefined, response: { uid: 'a', allowed: true } }, 'request is missing'],
  ['no uid', review({ uid: undefined }), 'request.uid'],
  ['an empty uid', review({ uid: '' }), 'request.uid'],
  ['a uid that is a number', review({ uid: 5 }), 'request.uid'],
  ['a uid of a megabyte', review({ uid: 'x'.repeat(1_000_000) }), 'request.uid'],
  ['another operation', review({ operation: 'create' }), 'CREATE, UPDATE, DELETE, CONNECT'],
  ['an operation of every object', review({ operation: 'toString' }), 'request.operation'],
  ['no kind', review({ kind: null }), 'request.kind'],
  ['a kind that is a text', review({ kind: 'Pod' }), 'request.kind'],
  ['a namespace that is a list', review({ namespace: ['jobs'] }), 'request.namespace is not a text'],
  ['a name that is an object', review({ name: {} }), 'request.name is not a text'],
  ['a dry run that is a text', review({ dryRun: 'true' }), 'request.dryRun'],
  ['an object that is a list', review({ object: [] }), 'request.object is not an object'],
  ['an object without metadata', review({ object: {} }), 'request.object.metadata'],
  ['an old object whose metadata are a text', review({ oldObject: { metadata: 'x' } }), 'request.oldObject.metadata'],
  ['a label that is a number', review({ object: { metadata: { labels: { a: 1 } } } }), 'request.object.metadata.labels'],
  ['a name in metadata that is a number', review({ object: { metadata: { name: 1 } } }), 'request.object.metadata.name'],
])('%s is refused', (_, value, message) => {
  expect(() => parse(value)).toThrow(NotAReview);
  expect(() => parse(value)).toThrow(message);
});

test('a rejected text is not quoted, because it can be a secret', () => {
  expect(() => parse('{"password": hunter2}')).toThrow(/^the body is not JSON$/);
});

test('the last of two equal keys applies, as in the API server', () => {
  expect(parse(JSON.stringify(review()).replace('"uid":"a-uid"', '"uid":"first","uid":"second"')).uid).toBe('second');
});

test.each([
  ['lists', '['.repeat(3_000_000)],
  ['objects', '{"a":'.repeat(1_000_000)],
  ['an object in a review', JSON.stringify(review()).replace('"spec":{}', `"spec":${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`)],
])('%s that are nested too deeply', (_, text) => expect(() => parse(text)).toThrow('nested more than'));

test('the maximum depth is accepted', () => {
  const depth = MAX_DEPTH - 3;
  expect(() => parse(JSON.stringify(review()).replace('"spec":{}', `"spec":${'['.repeat(depth)}${']'.repeat(depth)}`))).not.toThrow();
});

test('values that would take much more memory than their text are rejected', () => {
  expect(() => parse(`[${'{},'.repeat(MAX_VALUES / 2)}{}]`)).toThrow(`more than ${MAX_VALUES} values`);
});

test('brackets, commas and quotes within texts are not counted', () => {
  const text = `${'[{,'.repeat(MAX_VALUES)}\\"\\\\`;
  expect(parse(review({ name: text, object: { metadata: {}, spec: { '"': '\\' } } })).name).toBe(text);
});
