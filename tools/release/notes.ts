/* For projen's task `bump`: replaces the subjects of commits by the section of CHANGELOG.md, as the text of the release. */
import { readFileSync, writeFileSync } from 'node:fs';
import { newestRelease } from './changelog.ts';

const { CHANGELOG, BUMPFILE } = process.env;
if (!CHANGELOG || !BUMPFILE) throw new Error('this is a step of `npx projen bump`');
const { version, notes } = newestRelease(readFileSync('CHANGELOG.md', 'utf8'));
const bumped = readFileSync(BUMPFILE, 'utf8').trim();
if (version !== bumped) throw new Error(`the version is ${bumped}, and the newest in CHANGELOG.md is ${version}`);
writeFileSync(CHANGELOG, `${notes}\n`);
