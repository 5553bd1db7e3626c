import { readFileSync } from 'fs';
import { join } from 'path';

/**
 * Version of this package, and so of the operator's image.
 * @internal
 */
export const PACKAGE_VERSION: string = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')).version;

/**
 * Where a release puts the operator's images: `<version>` and, with Spark in it, `<version>-spark-submit`. The release workflow has it from
 * `tools/release/workflows.ts`.
 * @internal
 */
export const IMAGE_REPOSITORY = 'ghcr.io/cdk8s-spark-operator/spark-operator';
