/**
 * Runs in the cluster's network for `forward`: connects each socket that it is handed to the destination that comes
 * with it, and reports the destinations that do not answer.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Destination } from './forward.ts';

process.on('message', (destination: Destination, socket: Socket | undefined) => {
  if (!socket) return; // gone before it got here
  const remote = connect(destination.port, destination.host);
  let connected = false;
  remote.on('connect', () => {
    connected = true;
    socket.pipe(remote);
    remote.pipe(socket);
    socket.resume();
  });
  remote.on('error', (error) => {
    if (!connected) {
      console.error(`${destination.host}:${destination.port} does not answer: ${error.message}`);
      process.send!(destination);
    }
    socket.destroy();
  });
  socket.on('error', () => remote.destroy());
  socket.on('close', () => remote.destroy());
});

process.on('disconnect', () => process.exit());
// The terminal's interrupt is for the parent, whose end this notices.
process.on('SIGINT', () => {});
