/* For projen's task `bump`: prints the version to release, from CHANGELOG.md. projen gives the last one in VERSION. */
import { readFileSync } from 'node:fs';
import { nextVersion } from './changelog.ts';

try {
  process.stdout.write(nextVersion(readFileSync('CHANGELOG.md', 'utf8'), process.env.VERSION ?? '0.0.0'));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
