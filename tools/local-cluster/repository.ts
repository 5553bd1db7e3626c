import { resolve } from 'node:path';

/** Where the sources are. The only module that asks `import.meta`, so that the others load as CommonJS in unit tests too. */
export const repository = {
  root: resolve(import.meta.dirname, '../..'),
  tool: import.meta.dirname,
} as const;
