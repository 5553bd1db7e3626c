/**
 * All CRDs with descriptions: JSON, compressed by Brotli, in base64. Only the bundler resolves this
 * import (tools/build/bundle.ts).
 */
declare module 'bundled:crds' {
  const text: string;
  export default text;
}
