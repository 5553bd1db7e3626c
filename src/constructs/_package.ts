import { readFileSync } from 'fs';
import { join } from 'path';

/**
 * Version of this package, and of the operator's image.
 * @internal
 */
export const PACKAGE_VERSION: string = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')).version;
