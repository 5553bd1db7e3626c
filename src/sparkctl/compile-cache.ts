import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';

/** Environment variables that name the user's folder for caches. */
export interface CacheEnvironment {
  readonly HOME?: string;
  readonly XDG_CACHE_HOME?: string;
}

/**
 * Returns the folder for compiled code: below the user's own folder for caches.
 *
 * @param platform as `process.platform` names it
 * @returns undefined without a home folder: in a shared folder, users could run code as each other
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 */
export function compileCacheFolder({ HOME, XDG_CACHE_HOME }: CacheEnvironment, platform: NodeJS.Platform): string | undefined {
  const home = HOME && isAbsolute(HOME) ? join(HOME, platform === 'darwin' ? 'Library/Caches' : '.cache') : undefined;
  const caches = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : home;
  return caches && join(caches, 'cdk8s-spark-operator/v8');
}

/**
 * Makes V8 keep the code that it compiles from now on, so that the next start need not compile it
 * again.
 * If that fails, V8 keeps nothing; it is never an error.
 *
 * @param folder created if missing; not used if other users can write to it
 */
export function keepCompiledCode(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A user who can write to the parent folder could replace this one.
    if ([folder, dirname(folder)].every(isOwn)) enableCompileCache(folder);
  } catch {
    // The home folder is read-only, such as in a container.
  }
}

/**
 * Returns whether only the user can write to a folder: V8 runs the code that it finds in its cache.
 */
function isOwn(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  const ofGroupAndOthers = (mode % 0o100).toString(8);
  return process.getuid === undefined || (uid === process.getuid() && !/[2367]/.test(ofGroupAndOthers));
}
