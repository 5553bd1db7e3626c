import { delimiter, join } from 'node:path';

/**
 * The kubeconfig that kubectl would read. Of a list in KUBECONFIG it is the first that is there: they are not merged.
 *
 * @param exists whether there is a file
 * @param home the user's folder
 * @returns its path; undefined if there is none
 */
export function kubeconfigFile({ KUBECONFIG }: { readonly KUBECONFIG?: string }, exists: (path: string) => boolean, home: string): string | undefined {
  const listed = (KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 0) return listed.find(exists) ?? listed[0];
  const own = join(home, '.kube/config');
  return exists(own) ? own : undefined;
}
