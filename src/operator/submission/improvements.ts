import type { Container, PodSpec } from '../../k8s';
import { ANNOTATION_CUSTOMIZED } from '../../api/labels';
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
 * - the annotation `sparkoperator.k8s.io/customized`, see `markCustomized`.
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

/** Says on a pod, or on what pods are made from, that nothing is left for the operator's webhook, so that it is not called: a pod comes into being also while it is away. */
export function markCustomized<T extends PodTemplate>(pod: T): T {
  const { annotations, ...metadata } = (pod.metadata ?? {}) as { readonly annotations?: object | null };
  const marked = { ...metadata, annotations: { ...annotations, [ANNOTATION_CUSTOMIZED]: 'true' } };
  return 'metadata' in pod ? { ...pod, metadata: marked } : { metadata: marked, ...pod };
}
