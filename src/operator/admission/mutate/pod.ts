import {
  ANNOTATION_LEFT_TO_WEBHOOK, LABEL_APP_NAME, LABEL_APP_UID, LABEL_ATTEMPT, LABEL_RESOURCE_PROFILE, LABEL_SPARK_ROLE,
  LABEL_SUBMISSION_ID,
} from '../../../api/labels';
import { SPARK_APPLICATION } from '../../../api/spark-application';
import { ApiError, isTransient } from '../../../kube/errors';
import type { Pod } from '../../../model/kubernetes-objects';
import { containersOf } from '../../../plan/pods/container';
import { customizePod } from '../../../plan/pods/customize';
import { onlyLeft } from '../../../plan/pods/left-to-webhook';
import { fieldOf, type PodCustomization, type PodMetrics } from '../../../plan/pods/pod-template';
import { memoryQuantity } from '../../../plan/pods/memory-limit';
import { parseQuantity } from '../../../plan/pods/quantity';
import { withoutSecrets } from '../../../text/redaction';
import type { SparkApplication, WholeApplication } from '../../../model/spark-application';
import { SubmissionError } from '../../../plan/errors';
import { NOTHING_LEFT } from '../../../plan/properties/improvements';
import { ownerOf } from '../../../model/ownership';
import { asKubernetesWrites } from '../../../plan/plan';
import type { Role } from '../../../plan/properties/role';
import { customizationOf, mainContainer, type PreparedSubmission } from '../../../plan/prepare';
import { patchOf } from '../json-patch';
import { ALLOWED, CannotAnswer, type AdmissionAnswer, type AdmissionHandler } from '../review';
import type { AdmissionDependencies } from '../dependencies';
import { HAS_TO_WAIT, Preparations } from './preparations';

/** Default names of Spark's containers, including versions before 3.0. */
const EXECUTOR_CONTAINERS = ['spark-kubernetes-executor', 'executor'];

/**
 * Resource profile of executors unless a job requests another
 * (ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID).
 */
const DEFAULT_PROFILE = '0';

/**
 * Contains nothing of the application: any client of the port can ask about the pods of any
 * namespace.
 */
const NOT_THE_CURRENT_ONE = 'its labels are not those of the submission that its SparkApplication is at now';

/**
 * Returns the mutator of the applications' pods. On creation, it adds the settings of the
 * application that Spark has no property for. Drivers and executors from spark-submit or another
 * operator get all of them; other executors get those that a template cannot carry. It uses the
 * same functions as native submission. It is idempotent, so the API server can call it again after
 * other webhooks.
 *
 * A pod gets something of the application only if it carries the id of the application's current
 * submission. That id is random, and only clients that can read the namespace know it. All other
 * pods are accepted unchanged: they are about to be removed, or do not belong to the operator.
 *
 * Executors are never refused because of a wrong application. Spark would request them forever, and
 * only the driver's log would report it. They are accepted without the parts that cannot be added,
 * as without a webhook.
 *
 * @throws errors of the API server, and CannotAnswer if the defaults of the cluster cannot be used.
 * The pod is then not created, and the creation is retried
 */
export function podMutator(dependencies: AdmissionDependencies): AdmissionHandler {
  const preparations = new Preparations(dependencies);
  return async ({ operation, namespace, subResource, object }, signal) => {
    if (operation !== 'CREATE' || subResource || object?.kind !== 'Pod' || !dependencies.isSelected(namespace)) return ALLOWED;
    const pod = object as Pod;
    const { labels } = pod.metadata;
    const [name, role] = [labels?.[LABEL_APP_NAME], roleOf(labels?.[LABEL_SPARK_ROLE])];
    if (!name || !role || containersOf(pod.spec).length === 0) return ALLOWED;
    if (hasAll(pod)) {
      if (isWaiting(pod)) await confirmReadable(namespace, name, dependencies, signal);
      return ALLOWED;
    }

    let application: WholeApplication | undefined;
    try {
      application = await submittedApplication(pod, namespace, name, dependencies, signal);
    } catch (error) {
      // Spark retries after a transient error. A missing permission would stay missing.
      if (role !== 'executor' || !isByTemplate(pod) || !(error instanceof ApiError) || isTransient(error)) throw error;
      warn(error.message, pod, namespace, name, dependencies);
      return asItIs('its application cannot be read');
    }
    if (!application) return asItIs(NOT_THE_CURRENT_ONE);
    try {
      const { pod: changed, warnings } = customized(pod, role, application, preparations.of(pod, application));
      const patch = patchOf(pod, changed);
      for (const reason of warnings) warn(reason, pod, namespace, name, dependencies);
      return { allowed: true, ...(patch.length > 0 && { patch }), ...(warnings.length > 0 && { warnings }) };
    } catch (error) {
      const isPassedOver = role === 'executor' && (SubmissionError.is(error) || (error instanceof CannotAnswer && isByTemplate(pod)));
      if (!isPassedOver && !SubmissionError.is(error)) throw error;
      const reason = `SparkApplication ${namespace}/${name}: ${withoutSecrets((error as Error).message.replace(HAS_TO_WAIT, ''))}`;
      if (!isPassedOver) return { allowed: false, code: 422, message: reason };
      warn(reason, pod, namespace, name, dependencies);
      return asItIs(reason);
    }
  };
}

/** Logs the reason, because Spark does not show warnings. */
function warn(reason: string, { metadata }: Pod, namespace: string, application: string, { logger }: AdmissionDependencies): void {
  logger?.warn(
    { namespace, application, pod: metadata.name, reason },
    'an executor is created without what its application wants of the webhook',
  );
}

/**
 * Whether the pod comes from this operator's template, which sets the attempt and all that a
 * template can carry.
 */
function isByTemplate({ metadata: { labels } }: Pod): boolean {
  return labels?.[LABEL_ATTEMPT] !== undefined;
}

/**
 * Whether the pod needs nothing of the webhook. A native driver is complete, and the application
 * known here can be older. A pod of this operator is complete unless its annotation names missing
 * parts.
 */
function hasAll(pod: Pod): boolean {
  const left = pod.metadata.annotations?.[ANNOTATION_LEFT_TO_WEBHOOK];
  return isByTemplate(pod) && (left === undefined || left === NOTHING_LEFT);
}

/** Returns the fields that a pod of this operator names. */
function fieldsOf({ metadata: { annotations } }: Pod): readonly string[] {
  return annotations?.[ANNOTATION_LEFT_TO_WEBHOOK]?.split(',') ?? [];
}

/** Whether a pod is complete, but must wait until its executors can be created. */
function isWaiting({ metadata: { annotations } }: Pod): boolean {
  return annotations?.[ANNOTATION_LEFT_TO_WEBHOOK] === NOTHING_LEFT;
}

/**
 * Checks that the application can be read, and refuses the driver otherwise. The application's
 * status then reports the missing permission. Its executors would lack settings, and only a log
 * would report that.
 *
 * @throws permanent errors of the API server
 */
async function confirmReadable(namespace: string, name: string, dependencies: AdmissionDependencies, signal?: AbortSignal): Promise<void> {
  try {
    await dependencies.application(namespace, name, () => true, signal);
  } catch (error) {
    if (error instanceof ApiError && !isTransient(error)) throw error;
  }
}

/**
 * Returns the application at the submission that a pod was created for; undefined if it is at
 * another one.
 */
async function submittedApplication(
  pod: Pod, namespace: string, name: string, dependencies: AdmissionDependencies, signal?: AbortSignal,
): Promise<WholeApplication | undefined> {
  if (!pod.metadata.labels?.[LABEL_SUBMISSION_ID]) return undefined;
  return dependencies.application(namespace, name, (application) => isFor(pod, application), signal);
}

function isFor(pod: Pod, application: SparkApplication): boolean {
  return pod.metadata.labels?.[LABEL_SUBMISSION_ID] === application.status?.submissionID && !isOfAnother(pod, application);
}

function roleOf(text: string | undefined): Role | undefined {
  return text === 'driver' || text === 'executor' ? text : undefined;
}

function asItIs(why: string): AdmissionAnswer {
  return { allowed: true, warnings: [`the pod is created as it is: ${why}`] };
}

/** Whether a pod was created for a deleted application of the same name. */
function isOfAnother({ metadata: { labels, ownerReferences = [] } }: Pod, { metadata: { name, uid } }: SparkApplication): boolean {
  const isOther = (other: string | undefined) => other !== undefined && other !== uid;
  return isOther(labels?.[LABEL_APP_UID])
    || ownerReferences.some((owner) => owner.kind === SPARK_APPLICATION.kind && owner.name === name && isOther(owner.uid));
}

function customized(
  pod: Pod, role: Role, application: SparkApplication, prepared: PreparedSubmission,
): { readonly pod: Pod; readonly warnings: readonly string[] } {
  const container = containerOf(pod, role, prepared);
  const { request, warnings } = fitting(pod, customizationOf(prepared, role, container, 'pod'));
  const { pod: result } = customizePod(
    pod, isByTemplate(pod) ? onlyLeft(request, fieldsOf(pod)) : { ...request, metrics: metricsOf(application, request) },
  );
  return { pod: asKubernetesWrites(role === 'driver' ? withOwner(result, application) : result), warnings };
}

/**
 * Removes settings that an executor cannot have. The job sets the resources of its own profile, and
 * a limit cannot be less than the pod's request.
 */
function fitting(pod: Pod, request: PodCustomization): { readonly request: PodCustomization; readonly warnings: readonly string[] } {
  if (request.role !== 'executor') return { request, warnings: [] };
  const { memoryLimit, ...others } = request.spec;
  if ((pod.metadata.labels?.[LABEL_RESOURCE_PROFILE] ?? DEFAULT_PROFILE) !== DEFAULT_PROFILE) {
    return { request: { ...request, spec: { ...others, gpu: undefined } }, warnings: [] };
  }
  const requested = containersOf(pod.spec).find(({ name }) => name === request.container)?.resources?.requests?.memory;
  if (!memoryLimit || requested === undefined || !isLess(memoryQuantity(memoryLimit, fieldOf(request, 'memoryLimit')), String(requested))) {
    return { request, warnings: [] };
  }
  const warning = `${fieldOf(request, 'memoryLimit')} = ${JSON.stringify(memoryLimit)} has no effect: `
    + `it is less than the ${String(requested)} that the pod requests`;
  return { request: { ...request, spec: others }, warnings: [warning] };
}

function isLess(quantity: string, other: string): boolean {
  return parseQuantity(quantity)! < (parseQuantity(other) ?? 0n);
}

function containerOf(pod: Pod, role: Role, prepared: PreparedSubmission): string {
  const names = containersOf(pod.spec).map(({ name }) => name);
  return [mainContainer(prepared, role), ...(role === 'executor' ? EXECUTOR_CONTAINERS : [])].find((name) => names.includes(name))
    ?? names[0]!;
}

/** Names the ConfigMap after the application, as kubeflow's operator does. */
function metricsOf({ metadata: { name } }: SparkApplication, { metrics }: PodCustomization): PodMetrics | undefined {
  return metrics?.configMapName === undefined ? metrics : { ...metrics, configMapName: `${name}-prom-conf` };
}

/**
 * Adds the application as the driver's owner, so that Kubernetes deletes both together. Only one
 * owner can be the controller; a driver that has one keeps it.
 */
function withOwner(pod: Pod, application: SparkApplication): Pod {
  const { metadata } = pod;
  const { ownerReferences = [] } = metadata;
  const isOwned = ownerReferences.some(({ controller, uid }) => controller || uid === application.metadata.uid);
  return isOwned ? pod : { ...pod, metadata: { ...metadata, ownerReferences: [...ownerReferences, ownerOf(application)] } };
}
