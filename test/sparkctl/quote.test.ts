/* Quoting, verified by a real shell. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { hereDocument, quoted } from '../../src/sparkctl/quote';

/** Returns the arguments that a shell passes to a program. */
function argumentsOf(words: readonly string[]): string[] {
  const { stdout, stderr, status } = spawnSync('sh', ['-c', `set -- ${words.join(' ')}\nprintf '%s\\0' "$@"`], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\0').slice(0, -1);
}

const NASTY = [
  '', ' ', "'", "''", "it's", '"', '\\', '\\\\n', '$HOME', '$(touch /tmp/no)', '`id`', '*', '?', '[a]', '~', '~root', '{a,b}', '!', '!!', '#', 'a#b', ';', '&', '|', '<', '>',
  '(', ')', '\n', 'a\nb', 'a\n', '\t', '\r\n', '-', '--', '-x', '=', '=ls', 'a=b', '%1', 'é', '日本', '👍', '\u2028', '\x01', '\x1b[31m', '\x7f', 'END', "'\"'\"'",
];

test('every word stays unchanged', () => {
  expect(argumentsOf(NASTY.map(quoted))).toEqual(NASTY);
});

test('arbitrary words stay unchanged', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'));
  const words = fc.sample(fc.oneof(word, fc.array(fc.constantFrom(...NASTY), { maxLength: 4 }).map((parts) => parts.join(''))), 400);
  expect(argumentsOf(words.map(quoted))).toEqual(words);
});

test('plain words have no quotes', () => {
  expect(['--conf', 'spark.a=1g', 'local:///opt/a.py', 'k8s://https://x:1', 'a@b', '1,2'].map(quoted)).toEqual(['--conf', 'spark.a=1g', 'local:///opt/a.py', 'k8s://https://x:1', 'a@b', '1,2']);
  expect(quoted('a b')).toBe("'a b'");
});

test.each(['plain\n', "it's $HOME $(id) `id` \\ \\\\\n", 'END\nEND_\n  END\n', '\n\n', 'é👍\n'])('a here-document has exactly its text: %j', (text) => {
  expect(spawnSync('sh', ['-c', `cat ${hereDocument(text)}\n`], { encoding: 'utf8' }).stdout).toBe(text);
});
