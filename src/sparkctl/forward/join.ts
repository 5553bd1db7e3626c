import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { toError } from '../../kube/errors';

/**
 * Pipes a local connection and a remote one into each other until either closes. Backpressure
 * applies in both directions.
 *
 * @param open opens the remote connection; the signal is aborted when the local one closes first
 * @param onError called with the reason if the remote connection cannot be opened, or breaks
 */
export async function join(local: Socket, open: (signal: AbortSignal) => Promise<Duplex>, onError: (error: Error) => void): Promise<void> {
  const gone = new AbortController();
  local.once('close', () => gone.abort(new Error('the local connection is closed')));
  // Browsers close connections at any time; this is not an error.
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
