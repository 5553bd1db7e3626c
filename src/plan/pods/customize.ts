import type { PodSpec } from '../../k8s';
import { type Problem, problemText } from '../../model/problem';
import { STOP_AT_FIRST } from '../problems';
import { affinity } from './affinity';
import { checkPod } from './check-pod';
import { configMaps } from './config-maps';
import { dnsConfig } from './dns-config';
import { env } from './env';
import { envFrom } from './env-from';
import { gpu } from './gpu';
import { hadoopConfigMap } from './hadoop-config-map';
import { hostAliases } from './host-aliases';
import { hostNetwork } from './host-network';
import { initContainers } from './init-containers';
import { lifecycle } from './lifecycle';
import { memoryLimit } from './memory-limit';
import { metrics } from './metrics';
import { nodeSelector } from './node-selector';
import { overriddenBySpark } from './overridden-by-spark';
import { podSecurityContext } from './pod-security-context';
import type { Concern, PodCustomization, PodTemplate } from './pod-template';
import { ports } from './ports';
import { priorityClassName } from './priority-class-name';
import { schedulerName } from './scheduler-name';
import { securityContext } from './security-context';
import { serviceAccount } from './service-account';
import { shareProcessNamespace } from './share-process-namespace';
import { sidecars } from './sidecars';
import { sparkConfigMap } from './spark-config-map';
import { terminationGracePeriod } from './termination-grace-period';
import { tolerations } from './tolerations';
import { volumes } from './volumes';

/**
 * The concerns. As in kubeflow/spark-operator's webhook, their order decides the order of lists.
 */
const CONCERNS: readonly Concern[] = [
  env,
  envFrom,
  hadoopConfigMap,
  sparkConfigMap,
  configMaps,
  volumes,
  ports,
  hostNetwork,
  hostAliases,
  initContainers,
  sidecars,
  dnsConfig,
  priorityClassName,
  schedulerName,
  nodeSelector,
  affinity,
  tolerations,
  memoryLimit,
  gpu,
  metrics,
  securityContext,
  podSecurityContext,
  terminationGracePeriod,
  lifecycle,
  shareProcessNamespace,
  serviceAccount,
];

/** A customized pod and its warnings. */
export interface CustomizedPod<T> {
  /** The same object if nothing changed. */
  readonly pod: T;
  /** Fields without the effect that users expect. */
  readonly warnings: readonly Problem[];
}

/**
 * Sets the fields of a pod that the application has, but that no Spark property can set. Pure:
 * returns a new pod. Idempotent, also after the API server has added defaults.
 *
 * @param pod the pod to create, or the template from which Spark will build it
 * @throws SubmissionError if the API server would reject the pod, or fields contradict each other
 */
export function customizePod<T extends PodTemplate>(pod: T, request: PodCustomization): CustomizedPod<T> {
  const { pod: customized, warnings } = customizeUnchecked(pod, request);
  checkPod(customized, request);
  return { pod: customized, warnings: distinct([...warnings, ...templateWarnings(customized, request)]) };
}

/** Does the same without the checks: Spark replaces invalid parts of a template. */
export function customizeUnchecked<T extends PodTemplate>(pod: T, request: PodCustomization): CustomizedPod<T> {
  const before: PodSpec = pod.spec ?? { containers: [] };
  const warnings: Problem[] = [];
  let spec = before;
  const { steps = STOP_AT_FIRST } = request;
  for (const concern of CONCERNS) {
    const change = steps.attempt(() => concern(spec, request), request.properties);
    spec = change?.spec ?? spec;
    warnings.push(...change?.warnings ?? []);
  }
  return { pod: spec === before ? pod : { ...pod, spec }, warnings };
}

/** Whether the application customizes its pods, so that executors need a template. */
export function customizes(request: PodCustomization): boolean {
  const nothing: PodTemplate = {};
  return customizePod(nothing, request).pod !== nothing;
}

/**
 * Returns warnings about fields of a template without effect. For a driver, this reads the template
 * as the user wrote it, from which the driver was built.
 */
function templateWarnings(customized: PodTemplate, request: PodCustomization): Problem[] {
  if (request.target === 'template') {
    return overriddenBySpark(customized, request);
  }
  const { spec: { template, memoryLimit: limit }, application: { mainApplicationFile } } = request;
  return template
    ? overriddenBySpark(template, { ...request, spec: { template, memoryLimit: limit }, application: { mainApplicationFile } })
    : [];
}

/** Removes duplicate warnings: a field and the property derived from it can give the same one. */
function distinct(warnings: readonly Problem[]): Problem[] {
  return [...new Map(warnings.map(warning => [problemText(warning), warning])).values()];
}
