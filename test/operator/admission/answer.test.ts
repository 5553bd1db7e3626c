import { encodeAnswer } from '../../../src/operator/admission/answer';
import type { AdmissionAnswer } from '../../../src/operator/admission/review';

const encoded = (answer: AdmissionAnswer) => JSON.parse(encodeAnswer('u', answer)).response;

test('a refusal has the default code 403 and an optional message', () => {
  expect(encoded({ allowed: false })).toEqual({ uid: 'u', allowed: false, status: { status: 'Failure', code: 403, reason: 'Forbidden' } });
});

test('a refusal has no patch, and an empty patch is omitted', () => {
  expect(encoded({ allowed: false, patch: [{ op: 'remove', path: '/a' }] })).not.toHaveProperty('patch');
  expect(encoded({ allowed: true, patch: [] })).toEqual({ uid: 'u', allowed: true });
});

test('a warning is one line of at most 256 characters without control characters, because HTTP headers allow none', () => {
  const [short, long] = encoded({ allowed: true, warnings: ['first\nsecond\u001b[31m \u2028 third\r\u0000', 'ä'.repeat(300)] }).warnings;
  expect(short).toBe('first second [31m third');
  expect(long).toBe(`${'ä'.repeat(255)}…`);
});

test('an answer contains as many warnings as the API server passes on, and the last one counts the omitted ones', () => {
  const warnings = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(200)}`);
  const sent: string[] = encoded({ allowed: true, warnings }).warnings;
  expect(sent.at(-1)).toBe(`and ${101 - sent.length} more`);
  expect(sent.length).toBeGreaterThan(10);
  expect(Buffer.byteLength(sent.join(''))).toBeLessThan(4_096);
});

test('a message keeps its lines, and is cut between two characters', () => {
  expect(encoded({ allowed: false, message: 'one\ntwo\u0007' }).status.message).toBe('one\ntwo ');
  const { message } = encoded({ allowed: false, message: 'x'.repeat(4_094) + '😀'.repeat(10) }).status;
  expect(message).toBe(`${'x'.repeat(4_094)}…`);
});
