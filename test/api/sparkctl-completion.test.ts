/*
 * The completion scripts in real shells on pseudo-terminals: the test presses keys and checks the
 * commands that run. It is in this tier because it can install missing shells.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptFor, SHELLS, type Shell } from '../../src/sparkctl/completion/scripts';

const folder = mkdtempSync(join(tmpdir(), 'completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Fake sparkctl that records its calls, and has candidates for some of them. */
const PROGRAM = `#!/bin/sh
printf '[%s]' "$@" >> calls
printf '\\n' >> calls
test "$1" = __complete || exit 0
for last; do :; done
case "$last" in
  comp*) printf 'completion\\tprint the completion script of a shell\\n' ;;
  --output=*) printf -- '--output=json\\t\\n' ;;
  arn:*) printf 'arn:aws:eks\\ta context\\n' ;;
  fi* | --values=*) printf ':files\\n' ;;
  '') printf 'pi\\tRUNNING\\n' ;;
esac
echo 'a message that must not appear' >&2
`;

beforeAll(() => {
  writeFileSync(join(folder, 'sparkctl'), PROGRAM);
  chmodSync(join(folder, 'sparkctl'), 0o755);
  writeFileSync(join(folder, 'first file.yaml'), '');
  for (const shell of SHELLS) writeFileSync(join(folder, `completion.${shell}`), scriptFor(shell));
});

/** Command of each interactive shell, and its startup file. */
const SESSIONS: Readonly<Record<Shell, readonly [program: string, first: string]>> = {
  bash: ['bash --norc --noprofile -i', 'source completion.bash'],
  zsh: ['zsh -f -i', 'autoload -Uz compinit && compinit -u -D; source ./completion.zsh'],
  fish: ['fish --no-config -i', 'source completion.fish'],
};

/** Types lines, with a tab at the end of each, and returns all calls of sparkctl. */
function typed(shell: Shell, lines: readonly string[]): string[] {
  const [program, first] = SESSIONS[shell];
  writeFileSync(join(folder, 'calls'), '');
  const input = [first, ...lines.map((line) => `${line}\t`), 'exit', ''].join('\n');
  // `script` provides the terminal.
  const { status, error } = spawnSync('script', ['--quiet', '--return', '--command', program, '/dev/null'], {
    cwd: folder, env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, HOME: folder, LC_ALL: 'C.UTF-8', TERM: 'xterm' }, input, encoding: 'utf8', timeout: 60_000,
  });
  expect({ status, error }).toEqual({ status: 0, error: undefined });
  return readFileSync(join(folder, 'calls'), 'utf8').split('\n').filter(Boolean);
}

test.each(SHELLS)('%s completes commands, values behind an equals sign, names with colons and blanks, and what is not begun yet', (shell) => {
  expect(typed(shell, ['sparkctl comp', 'sparkctl list --output=j', 'sparkctl list --context arn:aws', 'sparkctl render fi', 'sparkctl install --values=fi', 'sparkctl status '])).toEqual([
    '[__complete][comp]', '[completion]',
    '[__complete][list][--output=j]', '[list][--output=json]',
    '[__complete][list][--context][arn:aws]', '[list][--context][arn:aws:eks]',
    '[__complete][render][fi]', '[render][first file.yaml]',
    '[__complete][install][--values=fi]', '[install][--values=first file.yaml]',
    '[__complete][status][]', '[status][pi]',
  ]);
});
