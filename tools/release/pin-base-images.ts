/* Writes the current digests of the base images into the Dockerfile; needs docker with buildx. The workflow `upgrade-main` runs it every week. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pinned } from './base-images.ts';

const text = readFileSync('Dockerfile', 'utf8');
// The digest of the index, for all architectures.
writeFileSync('Dockerfile', pinned(text, (image) => execFileSync('docker', ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'], { encoding: 'utf8' }).trim()));
