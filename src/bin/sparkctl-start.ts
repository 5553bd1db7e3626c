/* The beginning of the command line. It is a file of its own in the package, as the cache is for what is loaded after it. */
import { getCompileCacheDir } from 'node:module';
import { compileCacheFolder, keepCompiledCode } from '../sparkctl/compile-cache';

const { NODE_DISABLE_COMPILE_CACHE, ...environment } = process.env;
const folder = NODE_DISABLE_COMPILE_CACHE || getCompileCacheDir() ? undefined : compileCacheFolder(environment, process.platform);
if (folder !== undefined) keepCompiledCode(folder);
