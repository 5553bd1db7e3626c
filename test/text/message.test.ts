/* Messages in a terminal. */
import { wrappedMessage, wrappedText } from '../../src/text/message';

test('wraps long lines between words, and indents further ones', () => {
  expect(wrappedMessage('sparkctl log: there is no log yet\n', 20)).toBe('sparkctl log: there\n  is no log yet\n');
  expect(wrappedMessage('note:\n  one of several words\nend', 16)).toBe('note:\n  one of several\n    words\nend');
});

test('lines that fit, and all lines without a terminal, stay unchanged', () => {
  const text = 'a  b   c\n  `x y`\n\n';
  expect(wrappedMessage(text, 8)).toBe(text);
  expect(wrappedMessage(`${text}${'word '.repeat(50)}`)).toBe(`${text}${'word '.repeat(50)}`);
});

test('a command in backquotes has a line of its own rather than a break', () => {
  const command = '`kubectl auth can-i patch sparkapplications -n etl`';
  expect(wrappedMessage(`ask for the permission that ${command} checks`, 40)).toBe(`ask for the permission that\n  ${command}\n  checks`);
  expect(wrappedText(`run ${command}, and again`, 20)).toEqual(['run', `${command},`, 'and again']);
});

test('a command after "To do:" is not broken; another remedy is', () => {
  expect(wrappedMessage('  To do: sparkctl status a-long-name -n jobs', 20)).toBe('  To do: sparkctl status a-long-name -n jobs');
  expect(wrappedMessage('  To do: give the driver more memory', 20)).toBe('  To do: give the\n    driver more\n    memory');
});

test('colours have no width, and a wrapped message stays as it is', () => {
  expect(wrappedMessage('\x1b[31m✗\x1b[39m a message', 11)).toBe('\x1b[31m✗\x1b[39m a message');
  const text = 'the `sparkctl list schedules -n jobs` lists them, and the rest does not';
  const once = wrappedMessage(text, 24);
  expect(wrappedMessage(once, 24)).toBe(once);
});

test('an unclosed backquote is a character as any other, and a text without words stays', () => {
  expect(wrappedMessage('it`s one of them', 10)).toBe('it`s one\n  of them');
  expect(wrappedText('', 10)).toEqual(['']);
});
