import { delimiter, join } from 'node:path';

/**
 * The kubeconfigs that kubectl would read: of a list in KUBECONFIG those that are there, else the user's own.
 *
 * @param exists whether there is a file
 * @param home the user's folder
 * @returns their paths, for `connect`; none if there are none. Of a list of which no file is there it is the first, so that an error can name it
 */
export function kubeconfigFiles({ KUBECONFIG }: { readonly KUBECONFIG?: string }, exists: (path: string) => boolean, home: string): readonly string[] {
  const listed = (KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  const found = listed.filter(exists);
  if (listed.length > 0) return found.length > 0 ? found : listed.slice(0, 1);
  return [join(home, '.kube/config')].filter(exists);
}
