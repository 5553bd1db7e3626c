import { amountsKnownInDriver } from '../demand/demand';
import type { PodGroup, PodSpec } from '../../model/kubernetes-objects';
import type { PodTemplate } from '../pods/pod-template';
import { initialExecutors, sparkPod, type PodSource } from '../demand/pods';
import type { Role } from '../properties/role';
import type { SparkProperties } from '../properties/spark-conf';
import type { SpecFacts } from '../../model/spec-facts';
import { type Problem, withoutEffect } from '../../model/problem';
import { schedulerNamed, schedulersOf } from './registry';
import type { BatchSchedulerSettings } from '../settings';
import type { BatchScheduler, Gang, GangPod, Marks } from './scheduler';

/** Result of `schedule`. */
export interface Scheduled {
  /** PodGroup to create before the driver, without its owner and labels. Default: none. */
  readonly group?: PodGroup;
  readonly warnings: readonly Problem[];
}

/** A submission whose Spark properties can still change. */
export interface Schedulable extends PodSource {
  readonly metadata: { readonly name: string };
  readonly identity: { readonly applicationId: string };
  readonly properties: SparkProperties;
}

/** Customized templates of the pods of each role, with the name of Spark's container. */
export type GangTemplates = { readonly [role in Role]: () => { readonly template: PodTemplate; readonly container: string } };

/**
 * Returns the specification of an application without a scheduler, with the operator's default;
 * otherwise the same object.
 */
export function withDefaultScheduler<S extends SpecFacts>(spec: S, settings: BatchSchedulerSettings | undefined): S {
  if (!settings?.default || choosesScheduler(spec)) return spec;
  return { ...spec, batchScheduler: settings.default };
}

function choosesScheduler({ batchScheduler, sparkConf = {}, driver, executor }: SpecFacts): boolean {
  return Boolean(batchScheduler)
    || [driver, executor].some(({ schedulerName, template }) => schedulerName || template?.spec?.schedulerName)
    || SCHEDULER_PROPERTIES.some((key) => sparkConf[key]);
}

/** Properties with the scheduler of pods (KubernetesConf.schedulerName). */
const SCHEDULER_PROPERTIES = [
  'spark.kubernetes.scheduler.name', 'spark.kubernetes.driver.scheduler.name', 'spark.kubernetes.executor.scheduler.name',
] as const;

/**
 * Prepares an application for its batch scheduler: sets labels and annotations of driver and
 * executors as Spark properties, which is the same for all submission modes. Does not set
 * `schedulerName`: pods always get that of `batchScheduler`.
 *
 * @param settings undefined if gang scheduling is off
 * @param isDefault whether the scheduler is the operator's default instead of the application's
 * @throws SubmissionError if the scheduler or Kubernetes would reject an option
 */
export function schedule(
  submission: Schedulable, templates: GangTemplates, settings: BatchSchedulerSettings | undefined, isDefault = false,
): Scheduled {
  const { spec: { batchScheduler, batchSchedulerOptions = {} }, properties, metadata, identity } = submission;
  const scheduler = settings && batchScheduler ? schedulerNamed(batchScheduler, settings) : undefined;
  if (!scheduler) return { warnings: unscheduled(submission, settings) };
  const created = { driver: templates.driver(), executor: templates.executor() };
  const unknown = amountsKnownInDriver(properties);
  const plan = scheduler.plan({
    application: metadata.name,
    applicationId: identity.applicationId,
    options: batchSchedulerOptions,
    gang: unknown.length > 0 ? undefined : gangOf(submission, created),
    own: (role, where, name) => ownMark(submission, created[role].template, role, where, name),
  });
  const warnings = [
    ...unread(scheduler, batchSchedulerOptions),
    ...(batchSchedulerOptions.resources && scheduler.options.includes('resources')
      ? []
      : unknown.slice(0, 1)).map(({ field }): Problem => ({
      path: field, reason: `is known only in the driver, so ${scheduler.name} does not get the demand of the application`,
      severity: 'warning',
    })),
    ...plan.warnings ?? [],
    ...setMarks(properties, 'driver', plan.driver, isDefault),
    ...setMarks(properties, 'executor', plan.executor, isDefault),
  ];
  return { group: plan.group, warnings };
}

function gangOf(submission: Schedulable, created: { readonly [role in Role]: ReturnType<GangTemplates[Role]> }): Gang {
  const pod = (role: Role): GangPod => ({
    spec: sparkPod(submission, role, created[role].template.spec as PodSpec | null | undefined, created[role].container),
    labels: { ...submission.spec[role].labels },
  });
  return { driver: pod('driver'), executor: pod('executor'), executors: initialExecutors(submission.properties, submission.version).count };
}

/**
 * Returns a label or annotation of the user. Spark's properties take precedence over the template.
 */
function ownMark({ properties }: Schedulable, template: PodTemplate, role: Role, where: keyof Marks, name: string): string | undefined {
  const metadata = template.metadata as { readonly [key in keyof Marks]?: Marks[key] | null } | null | undefined;
  return properties.get(prefixOf(role, where) + name) || metadata?.[where]?.[name] || undefined;
}

function prefixOf(role: Role, where: keyof Marks): string {
  return `spark.kubernetes.${role}.${where === 'labels' ? 'label' : 'annotation'}.`;
}

/** Flag of the operator's default. */
export const DEFAULT_FLAG = '--default-batch-scheduler';

/** Sets labels and annotations, and returns warnings about replaced ones of the user. */
function setMarks(properties: SparkProperties, role: Role, marks: Marks, isDefault: boolean): Problem[] {
  const by = isDefault ? DEFAULT_FLAG : 'spec.batchScheduler';
  return (['labels', 'annotations'] as const).flatMap((where) => Object.entries(marks[where] ?? {}).flatMap(([name, value]) => {
    const key = prefixOf(role, where) + name;
    const [before, field] = [properties.get(key), properties.fieldOf(key)];
    properties.set(key, value, by);
    return before === undefined || before === value ? [] : [{
      path: field, reason: `is overridden by ${isDefault ? `the operator's ${DEFAULT_FLAG}` : `${by} and its options`}`,
      severity: 'warning',
    }];
  }));
}

/** Returns warnings about options that the scheduler does not read. */
function unread({ name, options }: BatchScheduler, given: object): Problem[] {
  return Object.entries(given).filter(([option, value]) => value !== undefined && !(options as readonly string[]).includes(option))
    .map(([option]) => withoutEffect(`spec.batchSchedulerOptions.${option}`, ` with ${name}`));
}

/** Returns warnings about fields of gang scheduling without the expected effect. */
function unscheduled(
  { spec: { batchScheduler, batchSchedulerOptions } }: Schedulable, settings: BatchSchedulerSettings | undefined,
): Problem[] {
  if (!batchScheduler) return batchSchedulerOptions ? [withoutEffect('spec.batchSchedulerOptions', ' without spec.batchScheduler')] : [];
  const because = settings
    ? `is not a scheduler that the operator knows: ${schedulersOf(settings).map(({ name }) => name).join(', ')} (--kube-scheduler-names adds more)`
    : 'does not schedule the application as a gang: the operator runs without --enable-batch-scheduler=true';
  return [{ path: 'spec.batchScheduler', reason: `${because}; it is only set as schedulerName of the pods`, severity: 'warning' }];
}
