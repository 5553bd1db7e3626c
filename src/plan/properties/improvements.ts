import type { Container, PodSpec } from '../../k8s';
import { ANNOTATION_LEFT_TO_WEBHOOK } from '../../api/labels';
import type { PodTemplate } from '../pods/pod-template';

/**
 * Sets the intended differences from the pods that Spark creates. Any other difference is a bug.
 *
 * - `enableServiceLinks: false`: by default, Kubernetes adds seven variables for each Service of
 *   the namespace to each container. With a UI Service for each application, no pod of the
 *   namespace starts after about two thousand of them: `exec /opt/entrypoint.sh: argument list too
 *   long`. Spark does not use these variables.
 * - `terminationMessagePolicy: FallbackToLogsOnError` of Spark's container: the kubelet keeps the
 *   last lines of a failed container's log in the Pod's status. The application's status reports
 *   the error from there.
 *
 * Settings of a template take precedence.
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

/** Value of the annotation on a pod that must pass the webhook although it has no fields to set. */
export const NOTHING_LEFT = 'none';

/**
 * Marks a pod, or a pod template, for the operator's webhook.
 *
 * @param fields fields that the webhook must set; none for a pod that only waits until the webhook
 * is available for later pods
 */
export function markLeft<T extends PodTemplate>(pod: T, fields: readonly string[]): T {
  const { annotations, ...metadata } = (pod.metadata ?? {}) as { readonly annotations?: object | null };
  const marked = {
    ...metadata, annotations: { ...annotations, [ANNOTATION_LEFT_TO_WEBHOOK]: fields.length > 0 ? fields.join() : NOTHING_LEFT },
  };
  return 'metadata' in pod ? { ...pod, metadata: marked } : { metadata: marked, ...pod };
}

/** Whether a pod is marked for the operator's webhook. */
export function goesThroughWebhook({ metadata }: PodTemplate): boolean {
  const { annotations } = (metadata ?? {}) as { readonly annotations?: object | null };
  return Object.hasOwn(annotations ?? {}, ANNOTATION_LEFT_TO_WEBHOOK);
}
