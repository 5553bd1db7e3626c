import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';

/** The variables that say where a user keeps caches. */
export interface CacheEnvironment {
  readonly HOME?: string;
  readonly XDG_CACHE_HOME?: string;
}

/**
 * Where compiled code is kept: in the user's own folder for caches.
 *
 * @param platform as `process.platform` names it
 * @returns undefined without a home: a folder that users share would let them run code as each other
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 */
export function compileCacheFolder({ HOME, XDG_CACHE_HOME }: CacheEnvironment, platform: NodeJS.Platform): string | undefined {
  const home = HOME && isAbsolute(HOME) ? join(HOME, platform === 'darwin' ? 'Library/Caches' : '.cache') : undefined;
  const caches = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : home;
  return caches && join(caches, 'cdk8s-spark-operator/v8');
}

/**
 * Lets V8 keep what it compiles from now on, so that the next start need not compile it again. It is never an error if that cannot be: then nothing is kept.
 *
 * @param folder made if it is not there; not used if others may write to it
 */
export function keepCompiledCode(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Who may write to the folder above could put another one in its place.
    if ([folder, dirname(folder)].every(isOwn)) enableCompileCache(folder);
  } catch {
    // A home that cannot be written to, such as that of a container.
  }
}

/** What V8 finds in its cache it runs: nobody else may put anything there. */
function isOwn(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  const ofGroupAndOthers = (mode % 0o100).toString(8);
  return process.getuid === undefined || (uid === process.getuid() && !/[2367]/.test(ofGroupAndOthers));
}
