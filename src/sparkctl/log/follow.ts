import { Signal } from './bell';
import { Followers } from './followers';
import { openScene } from './scene';
import type { Subject } from './subject';
import type { LogRequest, LogDependencies } from './world';

/**
 * Prints logs as they are written, across restarts of the driver, until the application has ended.
 *
 * @returns the exit code: 0 if it succeeded, 1 if not
 */
export async function followLogs(subject: Subject, request: LogRequest, world: LogDependencies): Promise<number> {
  const bell = new Signal();
  const stop = new AbortController();
  const signal = AbortSignal.any([world.signal, stop.signal]);
  const scene = await openScene(world.client, subject, bell.ring, signal);
  const followers = new Followers(subject, request, { ...world, signal }, bell.ring);
  try {
    for (let isFirst = true; ; isFirst = false) {
      const code = await followers.look(scene.pods(), scene.object(), isFirst);
      if (code !== undefined) return code;
      await bell.heard(signal);
    }
  } finally {
    stop.abort(new Error('the logs are not followed any more'));
    await followers.ended();
    await scene.close();
  }
}
