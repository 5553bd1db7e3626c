import type { PageFiles } from './page-files';

/** Loads the page from the bundle. tools/build/console.ts builds it from src/console/page. */
export async function loadPage(): Promise<PageFiles> {
  // eslint-disable-next-line import/no-unresolved -- it exists in the bundle only
  const { script, style } = await import('console-page');
  return { script, style };
}
