import { LABEL_CREATED_BY } from '../api/labels';
import type { PodTemplateSpec } from '../k8s';
import { podTemplateSchema } from '../rules/schemas';
import { withKubernetesTypes } from '../rules/kubernetes-types';
import type { Pod } from '../model/kubernetes-objects';
import { customizePod } from './pods/customize';
import type { PodTemplate } from './pods/pod-template';
import { improvePod, markLeft } from './properties/improvements';
import { checkLeft, checkSize, checkTemplateSize, fieldsLeft, remainingWarnings, type RoleLeft } from './left-to-webhook';
import { buildSubmission } from './native/build';
import type { SubmissionResource } from './native/feature-step';
import { withOneConfigMap } from './native/one-config-map';
import { owned, ownerOf, type Ownership } from '../model/ownership';
import { operatorLabels } from './properties/labels';
import type { Role } from './properties/role';
import { customizationOf, mainContainer, withContainer, type PreparedSubmission } from './prepare';
import { submitter, type Submitter } from './spark-submit/submitter';
import type { Problem } from '../model/problem';
import { sparkSubmitWebUIWarnings } from './properties/web-ui';

/**
 * Objects to create for one submission: first the resources, in any order, then the driver's Pod.
 */
export interface SubmissionPlan {
  /**
   * Objects that the driver needs: its Service, the ConfigMap with its properties and the template
   * of its executors, and others that its properties require.
   */
  readonly resources: readonly SubmissionResource[];
  /**
   * The driver. Create it, do not apply it: as in Spark, an environment variable can occur twice,
   * which server-side apply rejects.
   */
  readonly driver: Pod;
  /** Settings of the user that have no effect, or not the apparent one. */
  readonly warnings: readonly Problem[];
}

/**
 * Plans the objects that run an application, as spark-submit would in cluster mode, without running
 * spark-submit. Pure: the same arguments give the same objects, byte for byte, so that a
 * submission is idempotent.
 *
 * @throws SubmissionError if the application cannot be submitted
 */
export function planNative(prepared: PreparedSubmission): SubmissionPlan {
  const { metadata, context, identity, version, properties, application, driverTemplate } = prepared;
  const left = fieldsLeft(prepared, 'native');
  checkLeft(left, prepared);
  const built = withOneConfigMap(buildSubmission({
    properties,
    application,
    version,
    identity,
    namespace: metadata.namespace,
    sparkUser: context.sparkUser,
    submitTime: context.submitTime.getTime(),
    driverTemplate,
    executorTemplate: JSON.stringify(executorOf(prepared, left)),
  }), identity.configMapName);
  const container = built.driver.spec.containers.at(-1)!.name;
  const { pod, warnings } = customizePod(built.driver, customizationOf(prepared, 'driver', container, 'pod'));
  const ownership = ownershipOf(prepared);
  const driver = improvePod(pod, container);
  return {
    resources: [...built.resources, ...furtherResources(prepared)]
      .map((resource): SubmissionResource => owned(resource, ownership)),
    // The webhook has nothing left to do for the driver. The driver must still pass it, so that it
    // waits as long as its executors could not be created.
    driver: checkSize('driver', owned(asKubernetesWrites(left.length > 0 ? markLeft(driver, []) : driver), ownership), left),
    warnings: remainingWarnings(left, [...prepared.warnings, ...warnings]),
  };
}

/** The input of spark-submit other than its arguments. */
export interface SparkSubmitPlan {
  readonly driverTemplate: PodTemplate;
  readonly executorTemplate: PodTemplate;
  /** Objects that must exist before spark-submit runs: it does not create them. */
  readonly resources: readonly SubmissionResource[];
  readonly warnings: readonly Problem[];
  /** Objects that run spark-submit. */
  readonly submitter: Submitter;
}

/**
 * Plans the pod templates with which spark-submit creates the same application. Settings of the
 * driver Pod are in its template, so that Spark's own values take precedence where only one is
 * possible.
 *
 * @throws SubmissionError if the application cannot be submitted
 */
export function planSparkSubmit(prepared: PreparedSubmission): SparkSubmitPlan {
  const container = mainContainer(prepared, 'driver');
  const { pod, warnings } = customizePod(prepared.driverTemplate ?? {}, customizationOf(prepared, 'driver', container, 'template'));
  const left = fieldsLeft(prepared, 'spark-submit');
  checkLeft(left, prepared);
  const improved = improvePod(withContainer(pod, container), container);
  const template = left.length > 0 ? markLeft(improved, fieldsOf('driver', left)) : improved;
  const driverTemplate = checkTemplateSize('driver', asKubernetesWrites({
    ...template,
    metadata: { ...template.metadata, ownerReferences: [ownerOf(prepared)] },
  }), left, prepared);
  const executorTemplate = executorOf(prepared, left);
  const ownership = ownershipOf(prepared);
  const own = (resource: SubmissionResource): SubmissionResource => owned(resource, ownership);
  const { pod: submitterPod, resources } = submitter(prepared, { driver: driverTemplate, executor: executorTemplate });
  return {
    driverTemplate,
    executorTemplate,
    resources: furtherResources(prepared).map(own),
    submitter: { pod: owned(submitterPod, ownership), resources: resources.map(own) },
    warnings: remainingWarnings(
      left, [...prepared.warnings, ...warnings, ...sparkSubmitWebUIWarnings(prepared.properties, prepared.identity.applicationId)],
    ),
  };
}

/**
 * Returns the template of executors. They only pass the webhook if it has something to do for them.
 */
function executorOf(prepared: PreparedSubmission, left: readonly RoleLeft[]): PodTemplate {
  const { executorTemplate } = prepared;
  const fields = fieldsOf('executor', left);
  const template = asKubernetesWrites(fields.length > 0 ? markLeft(executorTemplate, fields) : executorTemplate);
  return checkTemplateSize('executor', template, left.filter(({ role }) => role === 'executor'), prepared);
}

function fieldsOf(role: Role, left: readonly RoleLeft[]): string[] {
  return left.filter((each) => each.role === role).map(({ field }) => field);
}

/**
 * Returns the objects that Spark does not create: the configuration of the metrics, and the group
 * of pods for a batch scheduler. They are found by a label, and deleted after the driver's end.
 */
function furtherResources({ monitoring, scheduled: { group } }: PreparedSubmission): SubmissionResource[] {
  return [
    ...(monitoring?.configMap ? [monitoring.configMap] : []),
    ...(group ? [{ ...group, metadata: { ...group.metadata, labels: { ...group.metadata.labels, [LABEL_CREATED_BY]: 'true' } } }] : []),
  ];
}

/** Converts ports in text and quantities in numbers, as in manifests, to Kubernetes' types. */
export function asKubernetesWrites<T extends PodTemplate>(pod: T): T {
  const { template, definitions } = podTemplateSchema();
  const { metadata, spec } = pod;
  return { ...pod, ...withKubernetesTypes<PodTemplateSpec>(template, { metadata, spec } as PodTemplateSpec, definitions) };
}

function ownershipOf({ metadata, context }: PreparedSubmission): Ownership {
  return {
    namespace: metadata.namespace, owner: context.owner ?? ownerOf({ metadata }),
    labels: context.labels ?? operatorLabels({ ...metadata, ...context }),
  };
}
