import { parseKey } from '../kube/objects';
import type { Store } from '../kube/store';
import type { SparkApplication } from '../model/spark-application';

/**
 * Whether a key is for the reconciler now. Applications in namespaces that are not at work wait; one that is gone does not, wherever it was: what is
 * remembered of it is to be forgotten.
 *
 * @param isAtWork whether a namespace has been read and is selected
 */
export function isForReconciler(key: string, applications: Pick<Store<SparkApplication>, 'get'>, isAtWork: (namespace: string) => boolean): boolean {
  return applications.get(key) === undefined || isAtWork(parseKey(key).namespace!);
}
