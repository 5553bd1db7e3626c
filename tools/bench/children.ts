import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

/** A process that must not be left behind, also when it is stopped at the moment. */
export function endWithUs(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Ends all of them at once. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL');
}
