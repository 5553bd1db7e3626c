import { assert as check, property, string as anyString, uint8Array } from 'fast-check';
import { encode } from '../../helpers/protobuf';
import { count, decode, flag, integer, many, type Message, one, text, texts, time } from '../../../src/kube/protobuf/message';

const THING: Message = {
  1: text('name'), 2: texts('labels'), 3: time('since'), 4: integer('code'), 5: flag('started'), 6: many('parts', { 1: text('name') }), 7: one('state', {}), 8: count('left'),
};

test('a message has the form of its JSON', () => {
  const bytes = encode({ 1: 'a', 2: [{ 1: 'app', 2: 'pi' }, { 1: 'empty', 2: '' }], 3: { 1: 1_767_225_600, 2: 5 }, 4: -1, 5: false, 6: [{ 1: 'x' }, { 1: 'y' }], 7: { 1: 'unread' }, 8: 5_000_000_000n });
  expect(decode(bytes, THING)).toEqual({
    name: 'a', labels: { app: 'pi', empty: '' }, since: '2026-01-01T00:00:00Z', code: -1, started: false, parts: [{ name: 'x' }, { name: 'y' }], state: {}, left: 5_000_000_000,
  });
});

test('values that JSON omits are omitted: empty texts, unknown times, zero counts', () => {
  expect(decode(encode({ 1: '', 3: {}, 4: 0, 8: 0 }), THING)).toEqual({ code: 0 });
});

test('unknown fields of any form are skipped', () => {
  expect(decode(encode({ 1: 'a', 90: 'text', 91: 7, 92: { 1: { 2: 'deep' } }, 93: true }), THING)).toEqual({ name: 'a' });
});

test('a label can have the name of a property of every object', () => {
  expect(Object.entries(decode<{ labels: object }>(encode({ 2: [{ 1: '__proto__', 2: 'x' }] }), THING).labels)).toEqual([['__proto__', 'x']]);
});

test('any text is decoded as it was encoded', () => {
  check(property(anyString({ unit: 'binary', minLength: 1 }), (name) => { expect(decode(encode({ 1: name }), THING)).toEqual({ name }); }));
});

test('a truncated message is rejected or has fewer fields, but never different ones', () => {
  const whole = encode({ 1: 'name', 6: [{ 1: 'x' }], 2: [{ 1: 'app', 2: 'pi' }] });
  for (let length = 0; length < whole.length; length++) {
    let read: object;
    try {
      read = decode(whole.subarray(0, length), THING);
    } catch {
      continue;
    }
    expect(decode(whole, THING)).toMatchObject(read);
  }
});

test('random bytes end in an error or a value', () => {
  check(property(uint8Array({ maxLength: 200 }), (bytes) => {
    try {
      decode(Buffer.from(bytes), THING);
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
  }), { numRuns: 2_000 });
});
