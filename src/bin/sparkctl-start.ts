/*
 * Entry point of the command line. It is its own file in the package: the compile cache only works
 * for code that is loaded after it is enabled.
 */
import { getCompileCacheDir } from 'node:module';
import { compileCacheFolder, keepCompiledCode } from '../sparkctl/compile-cache';

const { NODE_DISABLE_COMPILE_CACHE, ...environment } = process.env;
const folder = NODE_DISABLE_COMPILE_CACHE || getCompileCacheDir() ? undefined : compileCacheFolder(environment, process.platform);
if (folder !== undefined) keepCompiledCode(folder);
