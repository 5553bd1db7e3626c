import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.ts';

/**
 * Fetches the source distribution of pyspark, which contains Spark, and unpacks it.
 *
 * @param download folder for both; created if it does not exist
 * @param paths paths in the distribution that are unpacked; all of them by default
 * @returns the folder of the distribution
 */
export async function fetchPyspark(version: string, download: string, log: string, paths: readonly string[] = []): Promise<string> {
  mkdirSync(download, { recursive: true });
  await run('python3', ['-m', 'pip', 'download', '--no-deps', '--no-cache-dir', '--dest', download, `pyspark==${version}`], {
    log,
    purpose: 'fetch pyspark',
    hint: 'pip needs access to a package index (see `python3 -m pip config list`).',
  });
  const [archive] = readdirSync(download);
  const folder = `pyspark-${version}`;
  await run('tar', [
    '--extract', '--file', join(download, archive!), '--directory', download, '--no-same-owner', ...paths.map((path) => join(folder, path)),
  ], { log, purpose: 'unpack pyspark' });
  return join(download, folder);
}
