import type { Container, PodSpec } from '../../k8s';
import { ANNOTATION_LEFT_TO_WEBHOOK } from '../../api/labels';
import type { PodTemplate } from '../pods/pod-template';

/**
 * Where pods are meant to differ from what Spark would create. Everything else that differs is a bug.
 *
 * - `enableServiceLinks: false`: otherwise Kubernetes puts seven variables for each Service of the namespace into each
 *   container. With a UI Service for each application, after some two thousand of them no pod of the namespace
 *   starts any more: `exec /opt/entrypoint.sh: argument list too long`. Spark does not use these variables.
 * - `terminationMessagePolicy: FallbackToLogsOnError` of Spark's container: the kubelet keeps the last lines of a failed container's
 *   log in the Pod's status, from where the application's status tells what went wrong.
 *
 * What a template says stays.
 *
 * @param container name of Spark's container
 */
export function improvePod<T extends PodTemplate>(pod: T, container: string): T {
  const containers = (pod.spec?.containers ?? []).map((each): Container => (
    each.name === container ? { terminationMessagePolicy: 'FallbackToLogsOnError', ...each } : each
  ));
  const spec: PodSpec = { ...pod.spec, containers, enableServiceLinks: pod.spec?.enableServiceLinks ?? false };
  return { ...pod, spec };
}

/** What a pod says that goes through the webhook although nothing is left to do for it. */
export const NOTHING_LEFT = 'none';

/**
 * Says on a pod, or on what pods are made from, that it has to go through the operator's webhook.
 *
 * @param fields what is left for the webhook to do; none of them for a pod that is only to wait until the webhook is there for those that come after it
 */
export function markLeft<T extends PodTemplate>(pod: T, fields: readonly string[]): T {
  const { annotations, ...metadata } = (pod.metadata ?? {}) as { readonly annotations?: object | null };
  const marked = { ...metadata, annotations: { ...annotations, [ANNOTATION_LEFT_TO_WEBHOOK]: fields.length > 0 ? fields.join() : NOTHING_LEFT } };
  return 'metadata' in pod ? { ...pod, metadata: marked } : { metadata: marked, ...pod };
}

/** Whether a pod says that it has to go through the operator's webhook. */
export function goesThroughWebhook({ metadata }: PodTemplate): boolean {
  const { annotations } = (metadata ?? {}) as { readonly annotations?: object | null };
  return Object.hasOwn(annotations ?? {}, ANNOTATION_LEFT_TO_WEBHOOK);
}
