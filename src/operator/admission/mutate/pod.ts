import { ANNOTATION_CUSTOMIZED, LABEL_APP_NAME, LABEL_APP_UID, LABEL_ATTEMPT, LABEL_SPARK_ROLE, LABEL_SUBMISSION_ID } from '../../../api/labels';
import { SPARK_APPLICATION } from '../../../api/spark-application';
import { withLayers } from '../../defaults/apply';
import type { Pod } from '../../kubernetes-objects';
import { containersOf } from '../../pods/container';
import { customizePod } from '../../pods/customize';
import { onlyLeft } from '../../pods/left-to-webhook';
import type { PodCustomization, PodMetrics } from '../../pods/pod-template';
import { withoutSecrets } from '../../redaction';
import type { SparkApplication } from '../../spark-application/model';
import { SubmissionError } from '../../submission/errors';
import { ownerOf } from '../../submission/ownership';
import { asKubernetesWrites } from '../../submission/plan';
import type { Role } from '../../submission/pod-properties';
import { customizationOf, mainContainer, prepareSubmission, type PreparedSubmission } from '../../submission/prepare';
import { patchOf } from '../json-patch';
import { ALLOWED, type AdmissionAnswer, type AdmissionHandler } from '../review';
import type { AdmissionWorld } from '../world';

/** How Spark's containers are called if nobody says otherwise, also by versions before 3.0. */
const EXECUTOR_CONTAINERS = ['spark-kubernetes-executor', 'executor'];

/**
 * Puts onto the pods of applications, when they are created, what the applications say about them and Spark has no property for: onto drivers and
 * executors that spark-submit or another operator makes, and onto executors what a template cannot carry. The same functions as native submission uses; what
 * is there already stays, so that it can be asked again after other webhooks.
 *
 * Pods whose application does not exist are taken as they are: they are about to be removed, or are none of the operator's.
 *
 * @throws errors of the API server, and if the defaults of the cluster cannot be read: then the pod is not created, and is tried again
 */
export function podMutator(world: AdmissionWorld): AdmissionHandler {
  return async ({ operation, namespace, subResource, object }, signal) => {
    if (operation !== 'CREATE' || subResource || object?.kind !== 'Pod' || !world.isSelected(namespace)) return ALLOWED;
    const pod = object as Pod;
    const { labels, annotations } = pod.metadata;
    const [name, role] = [labels?.[LABEL_APP_NAME], roleOf(labels?.[LABEL_SPARK_ROLE])];
    if (Object.hasOwn(annotations ?? {}, ANNOTATION_CUSTOMIZED) || !name || !role || containersOf(pod.spec).length === 0) return ALLOWED;

    const application = await world.application(namespace, name, signal);
    if (!application) return asItIs(`there is no SparkApplication ${namespace}/${name}`);
    if (isOfAnother(pod, application)) return asItIs(`it belongs to another SparkApplication ${namespace}/${name} than the one that exists`);
    try {
      const patch = patchOf(pod, customized(pod, role, application, world));
      return patch.length > 0 ? { allowed: true, patch } : ALLOWED;
    } catch (error) {
      if (!SubmissionError.is(error)) throw error;
      return { allowed: false, code: 422, message: `SparkApplication ${namespace}/${name}: ${withoutSecrets(error.message)}` };
    }
  };
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

function customized(pod: Pod, role: Role, application: SparkApplication, world: AdmissionWorld): Pod {
  const prepared = prepare(pod, application, world);
  const request = customizationOf(prepared, role, containerOf(pod, role, prepared), 'pod');
  // This operator's templates have an attempt; all that they can carry is there.
  const isByTemplate = pod.metadata.labels?.[LABEL_ATTEMPT] !== undefined;
  const { pod: result } = customizePod(pod, isByTemplate ? onlyLeft(request) : { ...request, metrics: metricsOf(application, request) });
  return asKubernetesWrites(role === 'driver' ? withOwner(result, application) : result);
}

/**
 * As for the submission that the pod is part of. The defaults of the cluster are those of now: what they said when the attempt began is not kept, and what
 * they enforce now holds for whatever is created now.
 */
function prepare({ metadata: { labels = {} } }: Pod, application: SparkApplication, { submission, defaults }: AdmissionWorld): PreparedSubmission {
  const { status } = application;
  const current = defaults?.current(application.metadata.namespace);
  if (current?.kind === 'unusable') throw new Error(current.reason);
  return prepareSubmission({ ...application, spec: current ? withLayers(application.spec, current.layers).spec : application.spec }, {
    attempt: Number(labels[LABEL_ATTEMPT] ?? status?.submissionAttempts ?? 1),
    submissionID: labels[LABEL_SUBMISSION_ID] ?? status?.submissionID ?? '',
    submitTime: new Date(status?.lastSubmissionAttemptTime ?? 0),
    sparkUser: submission.sparkUser,
    webUIUrlFormat: submission.webUIUrlFormat,
  });
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
