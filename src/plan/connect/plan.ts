import { LABEL_APP_NAME, LABEL_REVISION, LABEL_SPARK_ROLE } from '../../api/labels';
import { CONNECT_PORT, SERVER_ROLE } from '../../api/connect-server';
import type { Container, Pod, StringMap } from '../../model/kubernetes-objects';
import { SubmissionError } from '../errors';
import type { SubmissionResource } from '../native/feature-step';
import { planNative, type SubmissionPlan } from '../plan';
import { prepareSubmission } from '../prepare';
import { reasonsAgainstNative } from '../native/reasons-against';
import { asApplication, SERVER_STAND_IN } from './as-application';
import { ownerReferenceOf, serverPodName, type WholeConnect } from '../../model/spark-connect';
import { revisionOf } from './revision';
import { startIdOf, startLabels } from './start';

/** What spark-submit's launcher starts in the pod, in client mode: no script of the image, and no shell. */
const SERVER_CLASS = 'org.apache.spark.sql.connect.service.SparkConnectServer';

/** The operator's configuration, as far as servers depend on it. */
export interface ServerSettings {
  /** The user that Spark says it runs for (`SPARK_USER`). */
  readonly sparkUser: string;
  /** URL of web UIs, which Spark has to know where there is one. */
  readonly webUIUrlFormat?: string;
}

/** What a server needs. */
export type ServerResource = Exclude<SubmissionResource, { kind: 'PodGroup' }>;

/** What to create for a server: first the resources, then its Pod. */
export interface ServerPlan extends Omit<SubmissionPlan, 'resources'> {
  readonly resources: readonly ServerResource[];
}

/**
 * What to create for a server: what a native submission creates for a driver, with a pod that tells when it takes connections. Pure: the same start of the same specification is the
 * same plan.
 *
 * @throws SubmissionError if it cannot be run as it is written
 */
export function planServer(connect: WholeConnect, { sparkUser, webUIUrlFormat }: ServerSettings): ServerPlan {
  const { metadata, status } = connect;
  const application = asApplication({ metadata, spec: connect.spec });
  const prepared = prepareSubmission({ ...application, spec: { ...application.spec, driver: { ...application.spec.driver, podName: serverPodName(connect) } } }, {
    sparkUser,
    webUIUrlFormat,
    submissionID: startIdOf(connect),
    attempt: (status?.restarts ?? 0) + 1,
    // The time of the end before it: a repeated plan is the same plan.
    submitTime: new Date(status?.lastTerminationTime ?? metadata.creationTimestamp ?? 0),
    labels: startLabels(connect),
    owner: ownerReferenceOf(connect),
  });
  const [obstacle] = reasonsAgainstNative(prepared);
  if (obstacle) throw new SubmissionError(obstacle);
  const plan = planNative(prepared);
  // Batch schedulers are for applications: there is no group of pods.
  const resources = plan.resources.filter((resource): resource is ServerResource => resource.kind !== 'PodGroup');
  const revision = revisionOf(connect);
  return { ...plan, driver: serverPod(plan.driver, revision), resources: resources.map((resource) => forServer(resource, revision)) };
}

function serverPod(driver: Pod, revision: string): Pod {
  const [last, ...others] = [...driver.spec.containers].reverse();
  // By that name, which a template or a property may give, it would be taken for the driver of an application.
  const { [LABEL_APP_NAME]: _, ...labels } = asServer(driver.metadata.labels ?? {});
  return {
    ...driver,
    metadata: { ...driver.metadata, labels: { ...labels, [LABEL_REVISION]: revision } },
    // Spark's container comes last.
    spec: { ...driver.spec, containers: [...others.reverse(), withProbes(withClass(last!))] },
  };
}

function withClass(container: Container): Container {
  return { ...container, args: container.args?.map((argument) => (argument === SERVER_STAND_IN ? SERVER_CLASS : argument)) };
}

/** Probes of the template win. Five minutes for its start, as kubeflow/spark-operator gives it; then the kubelet ends it, and the restart policy decides. */
function withProbes(container: Container): Container {
  const tcpSocket = { port: CONNECT_PORT as unknown as string };
  return {
    ...container,
    startupProbe: container.startupProbe ?? { tcpSocket, periodSeconds: 2, timeoutSeconds: 1, failureThreshold: 150 },
    readinessProbe: container.readinessProbe ?? { tcpSocket, periodSeconds: 5, timeoutSeconds: 1, failureThreshold: 3 },
  };
}

/** They tell what they are made for. And executors call the driver before it takes connections of clients, and go on when it does not for a while. */
function forServer<T extends ServerResource>(resource: T, revision: string): ServerResource {
  const marked = { ...resource, metadata: { ...resource.metadata, labels: { ...resource.metadata.labels, [LABEL_REVISION]: revision } } };
  if (marked.kind !== 'Service') return marked;
  const { [LABEL_APP_NAME]: _, ...selector } = asServer(marked.spec.selector);
  return { ...marked, spec: { ...marked.spec, publishNotReadyAddresses: true, selector } };
}

function asServer(labels: StringMap): Record<string, string> {
  return labels[LABEL_SPARK_ROLE] === 'driver' ? { ...labels, [LABEL_SPARK_ROLE]: SERVER_ROLE } : { ...labels };
}
