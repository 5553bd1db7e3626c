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
import { STARTUP_PROBE } from './startup-probe';
import { revisionOf } from './revision';
import { startIdOf, startLabels } from './start';

/**
 * The class that spark-submit's launcher starts in the pod, in client mode. It needs no script of
 * the image, and no shell.
 */
const SERVER_CLASS = 'org.apache.spark.sql.connect.service.SparkConnectServer';

/** The operator's configuration for servers. */
export interface ServerSettings {
  /** Spark's user (`SPARK_USER`). */
  readonly sparkUser: string;
  /** URL format of web UIs, which Spark must know if there are any. */
  readonly webUIUrlFormat?: string;
}

/** Objects that a server needs. */
export type ServerResource = Exclude<SubmissionResource, { kind: 'PodGroup' }>;

/** Objects to create for a server: first the resources, then its Pod. */
export interface ServerPlan extends Omit<SubmissionPlan, 'resources'> {
  readonly resources: readonly ServerResource[];
}

/**
 * Plans the objects of a server: those of a native submission, with a pod that reports when it
 * accepts connections. Pure: the same start of the same specification has the same plan.
 *
 * @throws SubmissionError if the specification cannot run
 */
export function planServer(connect: WholeConnect, { sparkUser, webUIUrlFormat }: ServerSettings): ServerPlan {
  const { metadata, status } = connect;
  const application = asApplication({ metadata, spec: connect.spec });
  const prepared = prepareSubmission({
    ...application, spec: { ...application.spec, driver: { ...application.spec.driver, podName: serverPodName(connect) } },
  }, {
    sparkUser,
    webUIUrlFormat,
    submissionID: startIdOf(connect),
    attempt: (status?.restarts ?? 0) + 1,
    // The time of the previous end, so that a repeated plan is the same plan.
    submitTime: new Date(status?.lastTerminationTime ?? metadata.creationTimestamp ?? 0),
    labels: startLabels(connect),
    owner: ownerReferenceOf(connect),
  });
  const [obstacle] = reasonsAgainstNative(prepared);
  if (obstacle) throw new SubmissionError(obstacle);
  const plan = planNative(prepared);
  // Batch schedulers are only for applications, so there is no group of pods.
  const resources = plan.resources.filter((resource): resource is ServerResource => resource.kind !== 'PodGroup');
  const revision = revisionOf(connect);
  return { ...plan, driver: serverPod(plan.driver, revision), resources: resources.map((resource) => forServer(resource, revision)) };
}

function serverPod(driver: Pod, revision: string): Pod {
  const [last, ...others] = [...driver.spec.containers].reverse();
  // A template or a property can set this label. It would make the pod the driver of an
  // application.
  const { [LABEL_APP_NAME]: _, ...labels } = asServer(driver.metadata.labels ?? {});
  return {
    ...driver,
    metadata: { ...driver.metadata, labels: { ...labels, [LABEL_REVISION]: revision } },
    // Spark's container is the last one.
    spec: { ...driver.spec, containers: [...others.reverse(), withProbes(withClass(last!))] },
  };
}

function withClass(container: Container): Container {
  return { ...container, args: container.args?.map((argument) => (argument === SERVER_STAND_IN ? SERVER_CLASS : argument)) };
}

/**
 * Adds probes; those of the template take precedence. The kubelet ends a server whose startup probe
 * fails, and the restart policy applies.
 */
function withProbes(container: Container): Container {
  const tcpSocket = { port: CONNECT_PORT as unknown as string };
  return {
    ...container,
    startupProbe: container.startupProbe ?? { tcpSocket, ...STARTUP_PROBE },
    readinessProbe: container.readinessProbe ?? { tcpSocket, periodSeconds: 5, timeoutSeconds: 1, failureThreshold: 3 },
  };
}

/**
 * Adds the revision for which an object is created. The Service also publishes a server that is not
 * ready: executors call it before it accepts clients, and while it does not for a moment.
 */
function forServer<T extends ServerResource>(resource: T, revision: string): ServerResource {
  const marked = { ...resource, metadata: { ...resource.metadata, labels: { ...resource.metadata.labels, [LABEL_REVISION]: revision } } };
  if (marked.kind !== 'Service') return marked;
  const { [LABEL_APP_NAME]: _, ...selector } = asServer(marked.spec.selector);
  return { ...marked, spec: { ...marked.spec, publishNotReadyAddresses: true, selector } };
}

function asServer(labels: StringMap): Record<string, string> {
  return labels[LABEL_SPARK_ROLE] === 'driver' ? { ...labels, [LABEL_SPARK_ROLE]: SERVER_ROLE } : { ...labels };
}
