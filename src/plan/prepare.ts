import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from '../api/labels';
import type { SparkApplicationSpec } from '../api/spark-application';
import type { OwnerReference } from '../kube/objects';
import { checkTemplate } from './pods/check-template';
import { EXECUTOR_ONLY, withoutExecutorOnly } from '../model/executor-only';
import { sparkContainer } from './pods/container';
import { customizePod, customizeUnchecked } from './pods/customize';
import { onlyFields } from './pods/left-to-webhook';
import { withLocalDirVolumes } from './pods/local-dirs';
import type { PodCustomization, PodTemplate } from './pods/pod-template';
import { overheadWarnings, sizeWarnings } from './container-memory';
import { schedule, withDefaultScheduler, type Scheduled } from './schedulers/schedule';
import type { BatchSchedulerSettings } from './settings';
import { dynamicAllocationWarnings } from './properties/check-dynamic-allocation';
import { checkArguments } from './properties/check-arguments';
import { checkProperties } from './properties/check-properties';
import { SubmissionError } from './errors';
import { checkImages } from './properties/images';
import { executorVariableWarnings } from './properties/executor-variables';
import { submissionIdentity, type SubmissionIdentity } from './identity';
import { improvePod } from './properties/improvements';
import { executorMetricsWarnings, monitoring, type Monitoring } from './properties/monitoring';
import { MAX_DNS_LABEL_LENGTH } from './names';
import { STOP_AT_FIRST, type Steps } from './problems';
import { ROLES, type Role } from './properties/role';
import { sparkProperties, type Submission, type SubmissionProperties, type SubmittedApplication } from './properties/properties';
import { parseSparkVersion, type SparkVersion } from './versions';
import type { Problem } from '../model/problem';

/** The input of a submission other than the application. */
export interface SubmissionContext extends Submission {
  /**
   * The start of the submission. Take it from the status, so that a repeated plan is the same plan.
   */
  readonly submitTime: Date;
  /** Spark's user (`SPARK_USER`), as in Hadoop's simple authentication. */
  readonly sparkUser: string;
  /**
   * The version of the applied defaults of the cluster: objects of another version must not be
   * taken for those of this one.
   */
  readonly defaultsVersion?: string;
  /**
   * Whether the operator's webhook for pods is available for settings that a pod template cannot
   * carry.
   *
   * @default false
   */
  readonly podWebhook?: boolean;
  /** Deadline of a Pod that runs spark-submit, in milliseconds. @default 300,000 */
  readonly sparkSubmitTimeout?: number;
  /** Settings of the batch schedulers. @default - none */
  readonly batchSchedulers?: BatchSchedulerSettings;
  /** The owner of all objects. @default - the application */
  readonly owner?: OwnerReference;
  /**
   * Whether defaults can still supply a missing image, so that it is a warning: the plan only
   * checks the application.
   * @default false
   */
  readonly imageCanFollow?: boolean;
  /** Runs the steps of the plan. @default - stops at the first problem */
  readonly steps?: Steps;
}

/** An application that is ready to be submitted in either way. */
export interface PreparedSubmission extends SubmissionProperties {
  readonly metadata: SubmittedApplication['metadata'];
  readonly spec: SparkApplicationSpec;
  readonly context: SubmissionContext;
  readonly version: SparkVersion;
  readonly identity: SubmissionIdentity;
  /** The driver's initial pod: the user's template, with the volumes that Spark must find in it. */
  readonly driverTemplate: PodTemplate | undefined;
  /**
   * The executors' initial pod, with all customisation except for `executorOnly` fields that are
   * left to the webhook.
   */
  readonly executorTemplate: PodTemplate;
  /** The same with all customisation. */
  readonly executorPod: PodTemplate;
  /** The source of metrics; undefined if there is none. */
  readonly monitoring: Monitoring | undefined;
  /** Settings for its batch scheduler. */
  readonly scheduled: Scheduled;
}

/**
 * Prepares all parts of a submission that do not depend on the way to submit: Spark properties,
 * names and pod templates. Pure.
 *
 * @throws SubmissionError if the application cannot be submitted
 */
export function prepareSubmission(application: SubmittedApplication, context: SubmissionContext): PreparedSubmission {
  const { metadata } = application;
  const spec = withDefaultScheduler(application.spec, context.batchSchedulers);
  const { steps = STOP_AT_FIRST } = context;
  // Labels with the name would also be rejected.
  refuseLongName(metadata.name);
  const templateWarnings = ROLES.flatMap(role => steps.attempt(() => checkTemplate(role, spec[role].template)) ?? []);
  const version = parseSparkVersion(spec.sparkVersion);
  const submission = sparkProperties(application, context, steps);
  const { properties } = submission;
  const imageWarnings = checkImages(properties, version.text, context.imageCanFollow ?? false, steps);
  steps.attempt(() => checkArguments(submission.application));
  const identity = submissionIdentity(metadata.name, {
    uid: metadata.uid, attempt: context.attempt, submissionID: context.submissionID, generation: metadata.generation ?? 1,
    defaultsVersion: context.defaultsVersion,
  });
  for (const role of ROLES) {
    properties.setIfMissing(`spark.kubernetes.${role}.podTemplateContainerName`, CONTAINERS[role], `spec.${role}.template`);
  }
  const prepared = {
    ...submission, metadata, spec, context, version, identity, monitoring: monitoring(application, `${identity.resourcePrefix}-prom-conf`),
  };
  const executor = customizationOf(prepared, 'executor', mainContainer(prepared, 'executor'), 'template');
  const inTemplate = context.partialRestart ? { ...executor, spec: withoutExecutorOnly(executor.spec) } : executor;
  const { pod, warnings } = customizePod(withLocalDirVolumes(templateOf(spec, 'executor') ?? {}, inTemplate), inTemplate);
  const driver = customizationOf(prepared, 'driver', mainContainer(prepared, 'driver'), 'template');
  const driverTemplate = withLocalDirVolumes(templateOf(spec, 'driver') ?? {}, driver);
  checkProperties(properties, version, steps);
  const executorTemplate = improvePod(withContainer(pod, executor.container), executor.container);
  const executorPod = context.partialRestart
    ? customizePod(executorTemplate, { ...executor, ...onlyFields(executor, EXECUTOR_ONLY) }).pod
    : executorTemplate;
  const scheduled = steps.attempt(() => schedule(prepared, {
    driver: () => ({ template: customizeUnchecked(driverTemplate, driver).pod, container: driver.container }),
    executor: () => ({ template: executorPod, container: executor.container }),
  }, context.batchSchedulers, !application.spec.batchScheduler), properties) ?? { warnings: [] };
  return {
    ...prepared,
    scheduled,
    driverTemplate: Object.keys(driverTemplate).length > 0 ? driverTemplate : undefined,
    executorTemplate,
    executorPod,
    warnings: [
      ...submission.warnings, ...imageWarnings, ...versionWarnings(version), ...templateWarnings, ...executorVariableWarnings(properties),
      ...dynamicAllocationWarnings(properties), ...overheadWarnings(properties), ...sizeWarnings(spec, version),
      ...executorMetricsWarnings(spec.monitoring, properties, version), ...warnings, ...scheduled.warnings,
    ],
  };
}

/** Default names of Spark's containers. */
const CONTAINERS: { readonly [role in Role]: string } = { driver: DRIVER_CONTAINER, executor: EXECUTOR_CONTAINER };

/** Returns the customisation of a pod of the application and its container. */
export function customizationOf(
  { spec, properties, monitoring: monitored, context }:
  Pick<PreparedSubmission, 'spec' | 'properties' | 'monitoring'> & Partial<Pick<PreparedSubmission, 'context'>>,
  role: Role, container: string, target: PodCustomization['target'],
): PodCustomization {
  return {
    role, spec: spec[role], application: spec, container, properties, target, metrics: monitored?.metrics[role], steps: context?.steps,
  };
}

/** Returns the name of Spark's container in a role's initial pod. */
export function mainContainer({ spec, properties }: Pick<PreparedSubmission, 'spec' | 'properties'>, role: Role): string {
  const wanted = properties.get(`spark.kubernetes.${role}.podTemplateContainerName`) ?? CONTAINERS[role];
  return sparkContainer(spec[role].template?.spec, { container: wanted })?.name || wanted;
}

/**
 * Returns the template of a role. Spark rejects a template without `spec`, even for labels only.
 */
function templateOf(spec: SparkApplicationSpec, role: Role): PodTemplate | undefined {
  const { template } = spec[role];
  return template ? { ...template, spec: { ...template.spec, containers: template.spec?.containers ?? [] } } : undefined;
}

/** Returns a pod that contains Spark's container. */
export function withContainer(pod: PodTemplate, name: string): PodTemplate {
  const containers = pod.spec?.containers ?? [];
  return containers.some(container => container.name === name)
    ? pod
    : { ...pod, spec: { ...pod.spec, containers: [...containers, { name }] } };
}

function versionWarnings({ warning, severity = 'warning' }: SparkVersion): Problem[] {
  return warning === undefined ? [] : [{ path: 'spec.sparkVersion', reason: warning, severity }];
}

/** Rejects a long name: it becomes a label value, by which the pods are found. */
function refuseLongName(name: string): void {
  if (name.length > MAX_DNS_LABEL_LENGTH) {
    throw new SubmissionError({
      field: 'metadata.name', value: name, reason: `has more than ${MAX_DNS_LABEL_LENGTH} characters, which no label can hold`,
      remedy: 'choose a shorter name',
    });
  }
}
