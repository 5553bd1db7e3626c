import { Signal } from './signal';
import { LogReaders } from './log-readers';
import { watchSubject } from './watch-subject';
import type { Subject } from './subject';
import type { LogRequest, LogDependencies } from './dependencies';

/**
 * Prints logs as they are written, across restarts of the driver, until the application has ended.
 *
 * @returns the exit code: 0 if it succeeded, 1 if not
 */
export async function followLogs(subject: Subject, request: LogRequest, dependencies: LogDependencies): Promise<number> {
  const change = new Signal();
  const stop = new AbortController();
  const signal = AbortSignal.any([dependencies.signal, stop.signal]);
  const watched = await watchSubject(dependencies.client, subject, change.set, signal);
  const followers = new LogReaders(subject, request, { ...dependencies, signal }, change.set);
  try {
    for (let isFirst = true; ; isFirst = false) {
      const code = await followers.update(watched.pods(), watched.object(), isFirst);
      if (code !== undefined) return code;
      await change.wait(signal);
    }
  } finally {
    stop.abort(new Error('the logs are not followed any more'));
    await followers.ended();
    await watched.close();
  }
}
