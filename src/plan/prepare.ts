import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from '../api/labels';
import type { SparkApplicationSpec } from '../api/spark-application';
import type { OwnerReference } from '../kube/objects';
import { checkTemplate } from './pods/check-template';
import { sparkContainer } from './pods/container';
import { customizePod, customizeUnchecked } from './pods/customize';
import { withLocalDirVolumes } from './pods/local-dirs';
import type { PodCustomization, PodTemplate } from './pods/pod-template';
import { schedule, withDefaultScheduler, type Scheduled } from './schedulers/schedule';
import type { BatchSchedulerSettings } from './schedulers/scheduler';
import { dynamicAllocationWarnings } from './properties/check-dynamic-allocation';
import { checkProperties } from './properties/check-properties';
import { SubmissionError } from './errors';
import { executorVariableWarnings } from './properties/executor-variables';
import { submissionIdentity, type SubmissionIdentity } from './identity';
import { improvePod } from './properties/improvements';
import { executorMetricsWarnings, monitoring, type Monitoring } from './properties/monitoring';
import { MAX_DNS_LABEL_LENGTH } from './names';
import { STOP_AT_FIRST, type Steps } from './problems';
import type { Role } from './properties/role';
import { sparkProperties, type Submission, type SubmissionProperties, type SubmittedApplication } from './properties/properties';
import { parseSparkVersion, type SparkVersion } from './versions';
import type { Problem } from '../model/problem';

/** What a submission needs to know besides the application. */
export interface SubmissionContext extends Submission {
  /** When the submission began. Take it from the status, so that a repeated plan is the same plan. */
  readonly submitTime: Date;
  /** The user that Spark says it runs for (`SPARK_USER`), as Hadoop's simple authentication sees it. */
  readonly sparkUser: string;
  /** What the defaults of the cluster are, if any are applied: what was created with others must not be taken for what these need. */
  readonly defaultsVersion?: string;
  /** The operator's webhook for pods is there for what a pod template cannot carry. @default false */
  readonly podWebhook?: boolean;
  /** Deadline of a Pod that runs spark-submit, in milliseconds. @default 300,000 */
  readonly sparkSubmitTimeout?: number;
  /** How batch schedulers are told of applications. @default - they are not */
  readonly batchSchedulers?: BatchSchedulerSettings;
  /** Whose all of it is. @default - the application's */
  readonly owner?: OwnerReference;
  /** Runs the steps of the plan. @default - stops at the first problem */
  readonly steps?: Steps;
}

/** An application, ready to be submitted in either way. */
export interface PreparedSubmission extends SubmissionProperties {
  readonly metadata: SubmittedApplication['metadata'];
  readonly spec: SparkApplicationSpec;
  readonly context: SubmissionContext;
  readonly version: SparkVersion;
  readonly identity: SubmissionIdentity;
  /** The pod that the driver starts from: the user's template, with the volumes that Spark has to find in it. */
  readonly driverTemplate: PodTemplate | undefined;
  /** The pod that executors start from, with all customisation. */
  readonly executorTemplate: PodTemplate;
  /** What serves metrics; undefined if nothing does. */
  readonly monitoring: Monitoring | undefined;
  /** What its batch scheduler needs. */
  readonly scheduled: Scheduled;
}

const ROLES: readonly Role[] = ['driver', 'executor'];

/**
 * Finds out all about a submission that does not depend on who makes it: Spark properties, names, pod templates. Pure.
 *
 * @throws SubmissionError if the application cannot be submitted as it is written
 */
export function prepareSubmission(application: SubmittedApplication, context: SubmissionContext): PreparedSubmission {
  const { metadata } = application;
  const spec = withDefaultScheduler(application.spec, context.batchSchedulers);
  const { steps = STOP_AT_FIRST } = context;
  // Labels with the name would be rejected as well.
  refuseLongName(metadata.name);
  const templateWarnings = ROLES.flatMap(role => steps.attempt(() => checkTemplate(role, spec[role].template)) ?? []);
  const version = parseSparkVersion(spec.sparkVersion);
  const submission = sparkProperties(application, context, steps);
  const { properties } = submission;
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
  const { pod, warnings } = customizePod(withLocalDirVolumes(templateOf(spec, 'executor') ?? {}, executor), executor);
  const driver = customizationOf(prepared, 'driver', mainContainer(prepared, 'driver'), 'template');
  const driverTemplate = withLocalDirVolumes(templateOf(spec, 'driver') ?? {}, driver);
  checkProperties(properties, version, steps);
  const executorTemplate = improvePod(withContainer(pod, executor.container), executor.container);
  const scheduled = steps.attempt(() => schedule(prepared, {
    driver: () => ({ template: customizeUnchecked(driverTemplate, driver).pod, container: driver.container }),
    executor: () => ({ template: executorTemplate, container: executor.container }),
  }, context.batchSchedulers, !application.spec.batchScheduler), properties) ?? { warnings: [] };
  return {
    ...prepared,
    scheduled,
    driverTemplate: Object.keys(driverTemplate).length > 0 ? driverTemplate : undefined,
    executorTemplate,
    warnings: [
      ...submission.warnings, ...versionWarnings(version), ...templateWarnings, ...executorVariableWarnings(properties), ...dynamicAllocationWarnings(properties),
      ...executorMetricsWarnings(spec.monitoring, properties, version), ...warnings, ...scheduled.warnings,
    ],
  };
}

/** Names of Spark's containers unless a template or a property says otherwise. */
const CONTAINERS: { readonly [role in Role]: string } = { driver: DRIVER_CONTAINER, executor: EXECUTOR_CONTAINER };

/** What is put onto a pod of the application, and into which of its containers. */
export function customizationOf(
  { spec, properties, monitoring: monitored, context }: Pick<PreparedSubmission, 'spec' | 'properties' | 'monitoring'> & Partial<Pick<PreparedSubmission, 'context'>>, role: Role, container: string, target: PodCustomization['target'],
): PodCustomization {
  return { role, spec: spec[role], application: spec, container, properties, target, metrics: monitored?.metrics[role], steps: context?.steps };
}

/** The name of Spark's container in the pod that a role starts from. */
export function mainContainer({ spec, properties }: Pick<PreparedSubmission, 'spec' | 'properties'>, role: Role): string {
  const wanted = properties.get(`spark.kubernetes.${role}.podTemplateContainerName`) ?? CONTAINERS[role];
  return sparkContainer(spec[role].template?.spec, { container: wanted })?.name || wanted;
}

/** Spark takes no template without a `spec`, also if it is only about labels. */
function templateOf(spec: SparkApplicationSpec, role: Role): PodTemplate | undefined {
  const { template } = spec[role];
  return template ? { ...template, spec: { ...template.spec, containers: template.spec?.containers ?? [] } } : undefined;
}

/** A pod with Spark's container in it. */
export function withContainer(pod: PodTemplate, name: string): PodTemplate {
  const containers = pod.spec?.containers ?? [];
  return containers.some(container => container.name === name) ? pod : { ...pod, spec: { ...pod.spec, containers: [...containers, { name }] } };
}

function versionWarnings({ warning, severity = 'warning' }: SparkVersion): Problem[] {
  return warning === undefined ? [] : [{ path: 'spec.sparkVersion', reason: warning, severity }];
}

/** The name becomes a label value, by which the pods are found. */
function refuseLongName(name: string): void {
  if (name.length > MAX_DNS_LABEL_LENGTH) {
    throw new SubmissionError({
      field: 'metadata.name', value: name, reason: `has more than ${MAX_DNS_LABEL_LENGTH} characters, which no label can hold`, remedy: 'choose a shorter name',
    });
  }
}
