import { titleOf } from '../output/title';
import type { KnownManifest } from './checked';
import { placeText, type Place, type Report } from './report';

/**
 * Reports objects that are in the files twice. It cannot detect the same object once with and once
 * without a namespace, because the default namespace is a setting of the kubeconfig.
 *
 * @param namespace the value of --namespace
 * @param severity error if the command cannot process both
 */
export function reportRepeated(
  manifests: readonly KnownManifest[], namespace: string | undefined, report: Report, severity: 'error' | 'warning' = 'warning',
): void {
  const places = new Map<string, Place>();
  for (const { kind, object, source } of manifests) {
    const { name, namespace: own = namespace } = (object.metadata ?? {}) as { readonly name?: unknown; readonly namespace?: unknown };
    if (typeof name !== 'string') continue;
    const key = JSON.stringify([kind, own ?? '', name]);
    const first = places.get(key);
    if (first) report[severity](source.place(), `${titleOf(object)} is also in ${placeText(first)}; omit one of them`);
    else places.set(key, source.place());
  }
}
