import { ANNOTATION_LEFT_TO_WEBHOOK, LABEL_APP_NAME, LABEL_APP_UID, LABEL_ATTEMPT, LABEL_RESOURCE_PROFILE, LABEL_SPARK_ROLE, LABEL_SUBMISSION_ID } from '../../../api/labels';
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
import type { AdmissionDependencies } from '../world';
import { HAS_TO_WAIT, Preparations } from './preparations';

/** How Spark's containers are called if nobody says otherwise, also by versions before 3.0. */
const EXECUTOR_CONTAINERS = ['spark-kubernetes-executor', 'executor'];

/** The profile of which Spark makes executors unless a job asks for others (ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID). */
const DEFAULT_PROFILE = '0';

/** Nothing of the application is in it: whoever reaches the port can ask about the pods of any namespace. */
const NOT_THE_CURRENT_ONE = 'its labels are not those of the submission that its SparkApplication is at now';

/**
 * Puts onto the pods of applications, when they are created, what the applications say about them and Spark has no property for: onto drivers and
 * executors that spark-submit or another operator makes, and onto executors what a template cannot carry. The same functions as native submission uses; what
 * is there already stays, so that it can be asked again after other webhooks.
 *
 * Only a pod that knows the submission its application is at gets anything of the application: the id of a submission is random, and only who can read the namespace has it. All others
 * are taken as they are: they are about to be removed, or are none of the operator's.
 *
 * Executors are never refused for what is wrong with an application: Spark would ask for them for ever, and only the driver's log would tell. They are taken without what cannot be put onto
 * them, as they would be without a webhook.
 *
 * @throws errors of the API server, and CannotAnswer if the defaults of the cluster cannot be used: then the pod is not created, and is tried again
 */
export function podMutator(world: AdmissionDependencies): AdmissionHandler {
  const preparations = new Preparations(world);
  return async ({ operation, namespace, subResource, object }, signal) => {
    if (operation !== 'CREATE' || subResource || object?.kind !== 'Pod' || !world.isSelected(namespace)) return ALLOWED;
    const pod = object as Pod;
    const { labels } = pod.metadata;
    const [name, role] = [labels?.[LABEL_APP_NAME], roleOf(labels?.[LABEL_SPARK_ROLE])];
    if (!name || !role || containersOf(pod.spec).length === 0) return ALLOWED;
    if (hasAll(pod)) {
      if (isWaiting(pod)) await confirmReadable(namespace, name, world, signal);
      return ALLOWED;
    }

    let application: WholeApplication | undefined;
    try {
      application = await submittedApplication(pod, namespace, name, world, signal);
    } catch (error) {
      // What passes is tried again by Spark. Rights that are missing would be missing for ever.
      if (role !== 'executor' || !isByTemplate(pod) || !(error instanceof ApiError) || isTransient(error)) throw error;
      warn(error.message, pod, namespace, name, world);
      return asItIs('its application cannot be read');
    }
    if (!application) return asItIs(NOT_THE_CURRENT_ONE);
    try {
      const { pod: changed, warnings } = customized(pod, role, application, preparations.of(pod, application));
      const patch = patchOf(pod, changed);
      for (const reason of warnings) warn(reason, pod, namespace, name, world);
      return { allowed: true, ...(patch.length > 0 && { patch }), ...(warnings.length > 0 && { warnings }) };
    } catch (error) {
      const isPassedOver = role === 'executor' && (SubmissionError.is(error) || (error instanceof CannotAnswer && isByTemplate(pod)));
      if (!isPassedOver && !SubmissionError.is(error)) throw error;
      const reason = `SparkApplication ${namespace}/${name}: ${withoutSecrets((error as Error).message.replace(HAS_TO_WAIT, ''))}`;
      if (!isPassedOver) return { allowed: false, code: 422, message: reason };
      warn(reason, pod, namespace, name, world);
      return asItIs(reason);
    }
  };
}

/** Spark does not show warnings: without the log nobody would hear of them. */
function warn(reason: string, { metadata }: Pod, namespace: string, application: string, { logger }: AdmissionDependencies): void {
  logger?.warn({ namespace, application, pod: metadata.name, reason }, 'an executor is created without what its application wants of the webhook');
}

/** This operator's templates have an attempt; all that they can carry is there. */
function isByTemplate({ metadata: { labels } }: Pod): boolean {
  return labels?.[LABEL_ATTEMPT] !== undefined;
}

/** A native driver is complete, and what is known of its application here may be older. Pods of this operator that do not say that anything is left have nothing left. */
function hasAll(pod: Pod): boolean {
  const left = pod.metadata.annotations?.[ANNOTATION_LEFT_TO_WEBHOOK];
  return isByTemplate(pod) && (left === undefined || left === NOTHING_LEFT);
}

/** Whether a pod is complete, and is only to wait until its executors can come. */
function isWaiting({ metadata: { annotations } }: Pod): boolean {
  return annotations?.[ANNOTATION_LEFT_TO_WEBHOOK] === NOTHING_LEFT;
}

/**
 * Rights that are missing are told of the driver, as its application's status has that: executors would be created without what was wanted, and only a log would tell.
 *
 * @throws errors of the API server that do not pass
 */
async function confirmReadable(namespace: string, name: string, world: AdmissionDependencies, signal?: AbortSignal): Promise<void> {
  try {
    await world.application(namespace, name, () => true, signal);
  } catch (error) {
    if (error instanceof ApiError && !isTransient(error)) throw error;
  }
}

/** The application at the submission that a pod was made for; undefined if it is at another one. */
async function submittedApplication(pod: Pod, namespace: string, name: string, world: AdmissionDependencies, signal?: AbortSignal): Promise<WholeApplication | undefined> {
  if (!pod.metadata.labels?.[LABEL_SUBMISSION_ID]) return undefined;
  return world.application(namespace, name, (application) => isFor(pod, application), signal);
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

/** Whether a pod was made for an application of the same name that was deleted. */
function isOfAnother({ metadata: { labels, ownerReferences = [] } }: Pod, { metadata: { name, uid } }: SparkApplication): boolean {
  const isOther = (other: string | undefined) => other !== undefined && other !== uid;
  return isOther(labels?.[LABEL_APP_UID]) || ownerReferences.some((owner) => owner.kind === SPARK_APPLICATION.kind && owner.name === name && isOther(owner.uid));
}

function customized(pod: Pod, role: Role, application: SparkApplication, prepared: PreparedSubmission): { readonly pod: Pod; readonly warnings: readonly string[] } {
  const container = containerOf(pod, role, prepared);
  const { request, warnings } = fitting(pod, customizationOf(prepared, role, container, 'pod'));
  const { pod: result } = customizePod(pod, isByTemplate(pod) ? onlyLeft(request) : { ...request, metrics: metricsOf(application, request) });
  return { pod: asKubernetesWrites(role === 'driver' ? withOwner(result, application) : result), warnings };
}

/** Without what an executor cannot have: the resources of its profile are the job's own, and a limit is not less than what the pod requests. */
function fitting(pod: Pod, request: PodCustomization): { readonly request: PodCustomization; readonly warnings: readonly string[] } {
  if (request.role !== 'executor') return { request, warnings: [] };
  const { memoryLimit, ...others } = request.spec;
  if ((pod.metadata.labels?.[LABEL_RESOURCE_PROFILE] ?? DEFAULT_PROFILE) !== DEFAULT_PROFILE) {
    return { request: { ...request, spec: { ...others, gpu: undefined } }, warnings: [] };
  }
  const requested = containersOf(pod.spec).find(({ name }) => name === request.container)?.resources?.requests?.memory;
  if (!memoryLimit || requested === undefined || !isLess(memoryQuantity(memoryLimit, fieldOf(request, 'memoryLimit')), String(requested))) return { request, warnings: [] };
  const warning = `${fieldOf(request, 'memoryLimit')} = ${JSON.stringify(memoryLimit)} has no effect: it is less than the ${String(requested)} that the pod requests`;
  return { request: { ...request, spec: others }, warnings: [warning] };
}

function isLess(quantity: string, other: string): boolean {
  return parseQuantity(quantity)! < (parseQuantity(other) ?? 0n);
}

function containerOf(pod: Pod, role: Role, prepared: PreparedSubmission): string {
  const names = containersOf(pod.spec).map(({ name }) => name);
  return [mainContainer(prepared, role), ...(role === 'executor' ? EXECUTOR_CONTAINERS : [])].find((name) => names.includes(name)) ?? names[0]!;
}

/** kubeflow's operator names the ConfigMap for the application. */
function metricsOf({ metadata: { name } }: SparkApplication, { metrics }: PodCustomization): PodMetrics | undefined {
  return metrics?.configMapName === undefined ? metrics : { ...metrics, configMapName: `${name}-prom-conf` };
}

/** Drivers go with their application. Only one owner can be the controller; a driver that has one stays with it. */
function withOwner(pod: Pod, application: SparkApplication): Pod {
  const { metadata } = pod;
  const { ownerReferences = [] } = metadata;
  const isOwned = ownerReferences.some(({ controller, uid }) => controller || uid === application.metadata.uid);
  return isOwned ? pod : { ...pod, metadata: { ...metadata, ownerReferences: [...ownerReferences, ownerOf(application)] } };
}
