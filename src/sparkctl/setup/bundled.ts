import { brotliDecompressSync } from 'node:zlib';
import type { CustomResourceDefinition } from './objects';

/**
 * Returns the complete CRDs of the package. The bundle contains them in addition to the schemas for
 * `render`. With descriptions they are ten times as large, so they are compressed until they are
 * needed.
 */
export async function bundledCrds(): Promise<CustomResourceDefinition[]> {
  // eslint-disable-next-line import/no-unresolved -- the bundler provides it
  const { default: text } = await import('bundled:crds');
  return JSON.parse(brotliDecompressSync(Buffer.from(text, 'base64')).toString('utf8'));
}
