import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { toError } from '../../kube/errors';

/**
 * Joins a connection of this machine with another one, until either is through. What one of them does not take in time, the other does not send.
 *
 * @param open opens the other one; given up when the signal is aborted, because nobody waits any more
 * @param onError told why the other one could not be opened, or broke
 */
export async function join(local: Socket, open: (signal: AbortSignal) => Promise<Duplex>, onError: (error: Error) => void): Promise<void> {
  const gone = new AbortController();
  local.once('close', () => gone.abort(new Error('the local connection is closed')));
  // A browser that leaves in the middle is no news.
  local.on('error', () => {});
  let remote: Duplex;
  try {
    remote = await open(gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) onError(toError(error));
    local.destroy();
    return;
  }
  local.once('close', () => remote.destroy());
  remote.on('error', (error) => {
    if (!gone.signal.aborted) onError(error);
    local.destroy();
  });
  remote.once('close', () => local.destroySoon());
  local.pipe(remote).pipe(local);
}
