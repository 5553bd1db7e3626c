import { noteOf } from '../../src/operator/note';

test('sentences that fit', () => expect(noteOf(['a is b', 'c is d'])).toBe('a is b; c is d'));

test.each(['x', 'ä', '語', '😀'])('as many as fit, and how many more: of %s, by their bytes', (character) => {
  const sentence = character.repeat(100);
  const note = noteOf(Array<string>(20).fill(sentence));
  const shown = Math.floor(802 / (Buffer.byteLength(sentence) + 2));

  expect(note).toBe(`${Array<string>(shown).fill(sentence).join('; ')}; and ${20 - shown} more`);
  expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
});

test.each(['x', 'ä', '語', '😀'])('of a long sentence the beginning, in whole characters: %s', (character) => {
  const note = noteOf([`a${character.repeat(1000)}`, 'another']);

  expect(note).toMatch(new RegExp(`^a(${character})+; and 1 more$`, 'u'));
  expect(Buffer.byteLength(note)).toBeGreaterThan(800);
  expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
});
