import { globSync, statSync } from 'node:fs';
import { CommandError } from '../errors';
import { isUri } from '../../plan/properties/dependencies';
import type { Setting, SubmitRequest } from './request';

/** Properties that are lists of files. */
const LISTS: readonly string[] = ['spark.jars', 'spark.files', 'spark.submit.pyFiles', 'spark.archives'];

/**
 * Returns a submission with local files in place of patterns such as `lib/*.jar`, as spark-submit
 * expands them (DependencyUtils.resolveGlobPaths).
 *
 * @throws {CommandError} if a pattern matches no file
 */
export function withoutPatterns(request: SubmitRequest): SubmitRequest {
  const expanded = LISTS.flatMap((key): [string, Setting][] => {
    const setting = request.properties.get(key);
    return setting ? [[key, { ...setting, value: setting.value.split(',').flatMap((item) => filesOf(item.trim(), setting)).join() }]] : [];
  });
  return { ...request, properties: new Map([...request.properties, ...expanded]) };
}

function filesOf(item: string, { origin }: Setting): string[] {
  // The fragment of an archive is its folder.
  const hash = item.lastIndexOf('#');
  const [file, fragment] = hash < 0 ? [item, ''] : [item.slice(0, hash), item.slice(hash)];
  const path = file.replace(/^file:(?:\/\/(?=\/))?/i, '');
  if (!/[*?[{]/.test(path) || isUri(path)) return [item];
  const files = globSync(path).filter((each) => statSync(each, { throwIfNoEntry: false })?.isFile()).sort();
  if (files.length === 0) throw new CommandError(`${origin}: no file matches ${item}; check the path`);
  return files.map((each) => `${each}${fragment}`);
}
