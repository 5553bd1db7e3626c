/** All CRDs with their descriptions, as JSON, compressed by Brotli, in base64. Only the bundler understands this import (tools/build/bundle.ts). */
declare module 'bundled:crds' {
  const text: string;
  export default text;
}
