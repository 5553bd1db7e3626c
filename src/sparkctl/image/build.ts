import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CommandError } from '../errors';

/** An image to build. */
export interface Build {
  /** Program with the command line of `docker build`. */
  readonly builder: string;
  readonly tag: string;
  readonly dockerfile: string;
  /** Folder of the build context. */
  readonly folder: string;
}

/**
 * Builds an image. The builder writes to the terminal.
 *
 * @throws {CommandError} if the builder cannot be started, or fails
 */
export async function buildImage({ builder, tag, dockerfile, folder }: Build, signal: AbortSignal): Promise<void> {
  let code: number | null;
  try {
    const build = spawn(builder, ['build', '--tag', tag, '--file', '-', folder], { stdio: ['pipe', 'inherit', 'inherit'], signal });
    // A builder that ends early reports why.
    build.stdin.on('error', () => {}).end(dockerfile);
    [code] = await once(build, 'exit') as [number | null];
  } catch (error) {
    signal.throwIfAborted();
    const { code: reason, message } = error as NodeJS.ErrnoException;
    throw new CommandError(
      `${builder} cannot be started: ${reason === 'ENOENT' ? 'there is no such program' : message}; name another one by --builder, `
        + 'or omit --tag to print the Dockerfile',
    );
  }
  if (code !== 0) throw new CommandError(`${builder} built no image; its output has the reason`);
}
