import { delimiter, join } from 'node:path';

/**
 * Returns the kubeconfig files that kubectl would read: the existing files of the list in
 * KUBECONFIG, else the user's own file.
 *
 * @param exists returns whether a file exists
 * @param home the user's home folder
 * @returns their paths, for `connect`; empty without any. If no file of the list exists: the first
 * one, so that an error can name it
 */
export function kubeconfigFiles(
  { KUBECONFIG }: { readonly KUBECONFIG?: string }, exists: (path: string) => boolean, home: string,
): readonly string[] {
  const listed = (KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  const found = listed.filter(exists);
  if (listed.length > 0) return found.length > 0 ? found : listed.slice(0, 1);
  return [join(home, '.kube/config')].filter(exists);
}
