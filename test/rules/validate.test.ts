import type { Schema } from '../../src/rules/schema';
import { violations } from '../../src/rules/validate';

const reasons = (schema: Schema, value: unknown) => violations(schema, value, 'spec').map(({ path, reason }) => `${path} ${reason}`);
const text = (keywords: Schema = {}): Schema => ({ properties: { word: { type: 'string', ...keywords } }, type: 'object' });
const number = (keywords: Schema = {}): Schema => ({ properties: { count: { type: 'integer', ...keywords } }, type: 'object' });

describe('a message has a remedy', () => {
  test.each<[schema: Schema, value: unknown, message: string]>([
    [text(), { word: 3 }, 'spec.word must be a string, in quotes'],
    [text({ enum: ['', 'TCP', 'UDP'] }), { word: 'tcp' }, 'spec.word must be one of TCP, UDP'],
    [text({ minLength: 1 }), { word: '' }, 'spec.word must not be empty'],
    [text({ maxLength: 3 }), { word: 'four' }, 'spec.word must have at most 3 characters'],
    [text({ format: 'date-time' }), { word: '2026-13-01T00:00:00Z' }, 'spec.word must be a time such as 2026-03-01T10:00:00Z'],
    [number(), { count: '3' }, 'spec.count must be a whole number, without quotes'],
    [number({ minimum: 1 }), { count: 0 }, 'spec.count must be at least 1'],
    [number({ format: 'int32' }), { count: 2 ** 31 }, 'spec.count must be at most 2147483647'],
    [{ type: 'object', properties: { on: { type: 'boolean' } } }, { on: 'true' }, 'spec.on must be true or false, without quotes'],
    [{ type: 'object', properties: { memory: {}, cores: {} } }, { memroy: '1g' }, 'spec.memroy is not a field; did you mean memory?'],
    [{ type: 'object', properties: { memory: {}, cores: {} } }, { image: 'x' }, 'spec.image is not a field; known are memory, cores'],
    [{ type: 'object', properties: {}, required: ['type'] }, {}, 'spec.type is required'],
  ])('%# %j', (schema, value, message) => {
    expect(reasons(schema, value)).toEqual([message]);
  });
});

test('characters are counted as the API server counts them', () => {
  expect(reasons(text({ maxLength: 3 }), { word: '𝄞𝄞𝄞' })).toEqual([]);
});

test('null is treated as missing, but an unknown field stays unknown and an entry of a list stays an entry', () => {
  const schema: Schema = { type: 'object', required: ['type'], properties: { type: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } } };
  expect(reasons(schema, { type: null, list: null, other: null })).toEqual(['spec.type is required', expect.stringContaining('spec.other is not a field')]);
  expect(reasons(schema, { type: '', list: [null] })).toEqual(['spec.list[0] must be a string']);
});

test('rules do not see null values', () => {
  const rule = '!has(self.enabled) || !self.enabled || !has(self.maxExecutors) || self.maxExecutors >= 1';
  const schema: Schema = { 'type': 'object', 'properties': { enabled: { type: 'boolean' }, maxExecutors: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule, message: 'more' }] };
  expect(reasons(schema, { enabled: true, maxExecutors: null })).toEqual([]);
  expect(reasons(schema, { enabled: true, maxExecutors: 0 })).toEqual(['spec more']);
});

test('names of properties of every JavaScript object are ordinary fields', () => {
  const schema: Schema = { type: 'object', properties: {}, required: ['toString'] };
  expect(reasons(schema, JSON.parse('{"constructor": 1, "__proto__": 2}'))).toEqual([
    'spec.toString is required', expect.stringContaining('spec.constructor is not a field'), expect.stringContaining('spec.__proto__ is not a field'),
  ]);
});

test('a reference resolves to its definition, also recursively', () => {
  const definitions = { Node: { type: 'object', properties: { value: { type: 'integer' }, next: { $ref: 'Node' } } } };
  expect(violations({ $ref: 'Node' }, { next: { next: { value: 'x' } } }, 'list', definitions)).toEqual([{ path: 'list.next.next.value', value: 'x', reason: 'must be a whole number, without quotes' }]);
  expect(() => violations({ $ref: 'Other' }, {}, 'list', definitions)).toThrow('the schema refers to Other, which is not among the definitions');
});
