import { FAST_START_FOLDER } from '../../api/fast-start';

/** An image with an archive for `fastStart`. */
export interface FastStartImage {
  /** The image of Spark to add the archive to. */
  readonly base: string;
  /** User of the new image. */
  readonly user: string;
  /** Arguments of spark-submit for one more program to train with. @default - none */
  readonly program?: readonly string[];
}

/** Folder of the files for the training in the operator's image. */
const IN_OPERATOR_IMAGE = '/fast-start/';

/**
 * Returns the Dockerfile of an image with an archive.
 *
 * @param operatorImage image with the files for the training; undefined if the build context has
 * them
 */
export function dockerfile({ base, user, program = [] }: FastStartImage, operatorImage: string | undefined): string {
  const files = operatorImage === undefined ? '.' : `--from=${operatorImage} ${IN_OPERATOR_IMAGE}`;
  const train = JSON.stringify([`${FAST_START_FOLDER}/train`, ...program]);
  return [
    `FROM ${base}`,
    'USER root',
    `COPY ${files} ${FAST_START_FOLDER}/`,
    // Not by a shell, so that arguments need no quotes.
    `RUN ${train}`,
    `USER ${user}`,
    '',
  ].join('\n');
}
