import { brotliDecompressSync } from 'node:zlib';
import type { CustomResourceDefinition } from './objects';

/**
 * The CRDs that ship with the package, whole. They are in the bundle a second time, besides what `render` checks manifests with: with descriptions they are ten times as
 * large, and compressed they cost nothing until they are needed.
 */
export async function bundledCrds(): Promise<CustomResourceDefinition[]> {
  // eslint-disable-next-line import/no-unresolved -- the bundler makes it
  const { default: text } = await import('bundled:crds');
  return JSON.parse(brotliDecompressSync(Buffer.from(text, 'base64')).toString('utf8'));
}
