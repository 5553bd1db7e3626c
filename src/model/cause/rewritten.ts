import { LOST_EXECUTOR, lostExecutor } from './exit-code';

/**
 * Messages of Spark and Kubernetes with their cause in other words. The first match applies; the
 * text replaces the complete message, with the name of the exception.
 */
const REWRITTEN: readonly (readonly [pattern: RegExp, text: (...groups: string[]) => string])[] = [
  [
    /\[?unresolved dependency: ([^#\s]{1,200})#([^;\s]{1,200});([^:\s]{1,100}): not found/,
    (_, group, artifact, version) => `Maven package ${group}:${artifact}:${version} was not found`,
  ],
  [
    new RegExp(
      '\\bforbidden: User "?system:serviceaccount:([^:"\\s]{1,63}):([^"\\s]{1,253})"? cannot ([a-z]{2,20}) resource "?([a-z/.-]{1,100})"?'
      + '(?: in API group "[^"]{0,253}")?(?: in the namespace "?([^"\\s]{1,63})"?| at the cluster scope)?',
    ),
    (text, namespace, account, verb, resource, place) => (
      `the service account ${namespace}/${account} has no permission to ${verb} ${resource}`
      + (place ? ` in namespace ${place}` : text!.endsWith('scope') ? ' in all namespaces' : '')
    ),
  ],
  [
    /Received 403 on websocket\. Failure executing: GET at: [^\s?]{1,300}\/namespaces\/([^\s/?]{1,63})\/([a-z]{2,63})\?\S{0,1000} Message: Forbidden/,
    (_, namespace, resource) => `the driver's service account has no permission to watch ${resource} in namespace ${namespace}`,
  ],
  [/Failure executing: [A-Z]+ at: \S+ Message: (.{1,2000}?)(?:\. Received status: Status\(|$)/, (_, message) => message!],
  [LOST_EXECUTOR, lostExecutor],
  [
    /Total size of serialized results of (\d+) tasks \(([^)]{1,20})\) is bigger than spark\.driver\.maxResultSize \(?([^)]{1,20})\)?/,
    (_, tasks, size, limit) => `the results of ${tasks} tasks (${size}) are larger than spark.driver.maxResultSize (${limit})`,
  ],
];

/**
 * Returns the cause that a message states in other words.
 *
 * @param text the complete message in one line
 */
export function rewritten(text: string): string | undefined {
  for (const [pattern, rewrite] of REWRITTEN) {
    const match = pattern.exec(text);
    if (match) return rewrite(...match);
  }
  return undefined;
}
