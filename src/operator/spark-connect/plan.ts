import { LABEL_REVISION, LABEL_SPARK_ROLE } from '../../api/labels';
import { CONNECT_PORT } from '../../validation/connect-server';
import type { Container, Pod, StringMap } from '../kubernetes-objects';
import { SubmissionError } from '../submission/errors';
import type { SubmissionResource } from '../submission/native/feature-step';
import { planNative, type SubmissionPlan } from '../submission/plan';
import { prepareSubmission } from '../submission/prepare';
import { reasonsAgainstNative } from '../submission/reasons-against-native';
import { asApplication, SERVER_STAND_IN } from './as-application';
import { ownerReferenceOf, serverPodName, type SparkConnect } from './model';
import { revisionOf, startIdOf, startLabels } from './start';

/** The role of a server's pod, in place of Spark's `driver`; kubeflow/spark-operator's. */
export const SERVER_ROLE = 'connect-server';

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
export function planServer(connect: SparkConnect, { sparkUser, webUIUrlFormat }: ServerSettings): ServerPlan {
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
  return { ...plan, driver: serverPod(plan.driver, revisionOf(connect)), resources: resources.map(forServer) };
}

function serverPod(driver: Pod, revision: string): Pod {
  const [last, ...others] = [...driver.spec.containers].reverse();
  return {
    ...driver,
    metadata: { ...driver.metadata, labels: { ...asServer(driver.metadata.labels ?? {}), [LABEL_REVISION]: revision } },
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

/** Executors call the driver before it takes connections of clients, and go on when it does not for a while. */
function forServer(resource: ServerResource): ServerResource {
  if (resource.kind !== 'Service') return resource;
  return { ...resource, spec: { ...resource.spec, publishNotReadyAddresses: true, selector: asServer(resource.spec.selector) } };
}

function asServer(labels: StringMap): Record<string, string> {
  return labels[LABEL_SPARK_ROLE] === 'driver' ? { ...labels, [LABEL_SPARK_ROLE]: SERVER_ROLE } : { ...labels };
}
