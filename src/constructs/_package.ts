import { readFileSync } from 'fs';
import { join } from 'path';

/**
 * Version of this package, and of the operator's image.
 * @internal
 */
export const PACKAGE_VERSION: string = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')).version;

/**
 * Repository of the operator's images: `<version>` and, with Spark, `<version>-spark-submit`. The
 * release workflow gets it from `tools/release/workflows.ts`.
 * @internal
 */
export const IMAGE_REPOSITORY = 'ghcr.io/cdk8s-spark-operator/spark-operator';
