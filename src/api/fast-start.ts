/**
 * Folder of the class-data archive in an image: the place where the image step of
 * `sparkctl image` writes it, and where `fastStart: auto` expects it.
 * @internal
 */
export const FAST_START_FOLDER = '/opt/spark/fast-start';

/**
 * Files in that folder.
 *
 * - `jar`: it has no classes. Its manifest lists Spark's configuration folder and the jars, so that
 *   one fixed path is the class path of the archive.
 * - `archive`: the class-data archive.
 * - `launcher`: Spark's launcher, whose class path would otherwise be all jars.
 * @internal
 */
export const FAST_START_FILES = { jar: 'spark.jar', archive: 'spark.jsa', launcher: 'launcher.jar' } as const;

/** Values of `fastStart` that are no folder. @internal */
export const FAST_START = { none: 'none', auto: 'auto' } as const;
