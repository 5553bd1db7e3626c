import type { Io } from '../io';
import { UsageError } from '../../text/usage-error';
import type { Environment } from './properties-files';

/** Version at the beginning of an image's tag, or after `spark`, as in `etl:2-spark4.1.1`. */
const IN_TAG = /:(?:[\w.-]*spark[-_]?v?|v?)([34]\.\d+\.\d+)(?![\d.])[^/]*$/i;

/**
 * Returns the version of Spark in the image: that of the command line, else that in the image's
 * tag, else that of Spark on this machine, by the file RELEASE of `SPARK_HOME`.
 *
 * @throws {UsageError} if none is known
 */
export async function sparkVersionOf(
  given: string | undefined, image: string | undefined, environment: Environment, { readFile }: Pick<Io, 'readFile'>,
): Promise<string> {
  const known = given ?? IN_TAG.exec(image?.replace(/@.*$/, '') ?? '')?.[1] ?? await releaseOf(environment.SPARK_HOME, readFile);
  if (known === undefined && image === undefined) {
    throw new UsageError('there is no image; add --conf spark.kubernetes.container.image=apache/spark:4.1.1, for example');
  }
  if (known === undefined) {
    throw new UsageError(`the version of Spark in the image ${image} is unknown; add --spark-version=4.1.1, for example`);
  }
  return known;
}

async function releaseOf(home: string | undefined, readFile: Io['readFile']): Promise<string | undefined> {
  const text = home ? await readFile(`${home}/RELEASE`).catch(() => '') : '';
  return /^Spark (\d+\.\d+\.\d+\S*)/.exec(text)?.[1];
}
