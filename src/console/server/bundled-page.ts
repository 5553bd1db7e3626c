import type { PageFiles } from './page-files';

/** The page that is in the bundle. It is put there by its builder (tools/build/console.ts) from src/console/page. */
export async function loadPage(): Promise<PageFiles> {
  // eslint-disable-next-line import/no-unresolved -- it exists in the bundle only
  const { script, style } = await import('console-page');
  return { script, style };
}
