import { join } from 'node:path';
import { cacheFolder } from '../../tools/local-cluster/paths';
import { terminalProgress } from '../../tools/local-cluster/progress';
import { RealSpark } from '../../tools/real-spark/real-spark';
import type { RealSparkVersion } from '../../tools/real-spark/versions';

/** spark-submit of a version, with what it answered before in the user's cache folder. */
export function realSpark(version: RealSparkVersion): RealSpark {
  return new RealSpark({ version, cache: cacheFolder(), tool: join(__dirname, '../../tools/real-spark'), progress: terminalProgress() });
}
