import { spawn } from 'node:child_process';
import { once, type EventEmitter } from 'node:events';
import { CommandError } from '../errors';

/**
 * Returns the program and the first arguments of the user's editor, as kubectl finds it. Quotes
 * group words; there is no shell, so that nothing else is special.
 *
 * @param isTerminal whether the standard input is a terminal, which vi needs
 * @throws {CommandError} if no editor is set, and vi cannot run
 */
export function editorOf(
  environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform, isTerminal = Boolean(process.stdin.isTTY),
): readonly [program: string, ...args: string[]] {
  const line = environment.KUBE_EDITOR || environment.EDITOR || '';
  const [program, ...args] = (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) => word.replace(/["']/g, ''));
  if (program) return [program, ...args];
  if (platform === 'win32') return ['notepad'];
  if (!isTerminal) throw new CommandError('there is no terminal for vi; set KUBE_EDITOR or EDITOR to a program that needs none');
  return ['vi'];
}

/**
 * Opens a file in an editor, and waits for its end. Until then Ctrl-C is only for the editor: vi
 * uses it as a command.
 *
 * @param signals emits `SIGINT`
 * @throws {CommandError} if the editor cannot be started, or fails
 */
export async function openEditor(
  [program, ...args]: readonly [string, ...string[]], path: string, signals: EventEmitter = process,
): Promise<void> {
  const others = signals.rawListeners('SIGINT') as (() => void)[];
  const ignore = () => {};
  for (const listener of others) signals.removeListener('SIGINT', listener);
  signals.on('SIGINT', ignore);
  let code: number | null;
  let signal: string | null;
  try {
    const editor = spawn(program, [...args, path], { stdio: 'inherit' });
    [code, signal] = await once(editor, 'exit') as [number | null, string | null];
  } catch (error) {
    throw new CommandError(`the editor ${program} cannot be started: ${reasonOf(error)}; set KUBE_EDITOR or EDITOR to another one`);
  } finally {
    for (const listener of others) signals.on('SIGINT', listener);
    signals.removeListener('SIGINT', ignore);
  }
  if (code !== 0) throw new CommandError(`the editor ${program} ended with ${signal ?? `exit code ${code}`}; nothing was changed`);
}

/** Returns why a program cannot be started. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT': return 'there is no such program';
    case 'EACCES': return 'it is not an executable file';
    default: return message;
  }
}
