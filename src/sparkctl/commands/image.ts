import { IMAGE_REPOSITORY } from '../../api/operator-image';
import { SPARK_USER_ID } from '../../api/labels';
import { UsageError } from '../../text/usage-error';
import { command } from '../command';
import { buildImage } from '../image/build';
import { dockerfile } from '../image/dockerfile';

/** An image, a user or a program: one word of a Dockerfile, and no option. */
const WORD = /^[^\s-]\S*$/;

/** `sparkctl image`: adds the archive for `fastStart` to an image of Spark. */
export default command({
  usage: 'IMAGE [options] [-- ARGUMENT…]',
  description: [
    'Prints a Dockerfile that adds a class-data archive to an image of Spark, or builds it. With the archive, and',
    'fastStart: auto, applications start faster, and take less CPU time for it. Do it last, when the image has all its jars.',
    '',
    'The build runs Spark without a cluster, with programs in Java and Python, and fails if the archive would not be used.',
    'Words after -- are arguments of spark-submit for a program of your own to run, too, so that the archive has its classes.',
  ].join('\n'),
  takesArguments: true,
  options: {
    'tag': { value: 'NAME', short: 't', help: 'build the image with this name, instead of printing the Dockerfile' },
    'builder': { value: 'PROGRAM', default: 'docker', suggestions: ['docker', 'podman', 'nerdctl'], help: 'program that builds images' },
    'user': { value: 'USER', default: String(SPARK_USER_ID), help: "user of the image; the archive's build needs root" },
    'operator-image': {
      value: 'IMAGE', help: `image from which the printed Dockerfile copies the files for the build; by default ${IMAGE_REPOSITORY} of this version`,
    },
  },
  examples: [
    ['sparkctl image apache/spark:4.1.1 > Dockerfile', 'the Dockerfile, for a builder of your own'],
    ['sparkctl image example.org/etl:7 --tag example.org/etl:7-fast', 'build the image with docker'],
    ['sparkctl image example.org/etl:7 -t etl:fast -- --class org.example.Train /opt/app/train.jar', 'with a program of your own'],
  ],
  exitCodes: { 1: 'the image was not built' },
  async run({ tag, builder, user, 'operator-image': operatorImage }, words, { io, version, signal, packageFolder }, program) {
    const [base] = words;
    if (base === undefined || words.length > 1) throw new UsageError('name one image of Spark');
    for (const word of [base, user, ...(operatorImage === undefined ? [] : [operatorImage])]) {
      if (!WORD.test(word)) throw new UsageError(`${JSON.stringify(word)} is not the name of an image or user`);
    }
    const image = { base, user, program };
    if (tag === undefined) {
      io.stdout(dockerfile(image, operatorImage ?? `${IMAGE_REPOSITORY}:${version}`));
      return 0;
    }
    if (operatorImage !== undefined) throw new UsageError('--operator-image is for the printed Dockerfile; omit it with --tag');
    await buildImage({ builder, tag, dockerfile: dockerfile(image, undefined), folder: `${packageFolder}/fast-start` }, signal);
    return 0;
  },
});
