import { amountsKnownInDriver } from '../demand/demand';
import type { PodGroup, PodSpec } from '../../model/kubernetes-objects';
import type { PodTemplate } from '../pods/pod-template';
import { initialExecutors, sparkPod, type PodSource } from '../demand/pods';
import type { Role } from '../properties/role';
import type { SparkProperties } from '../properties/spark-conf';
import type { SpecFacts } from '../../model/spec-facts';
import { type Problem, withoutEffect } from '../../model/problem';
import { schedulerNamed, schedulersOf } from './registry';
import type { BatchScheduler, BatchSchedulerSettings, Gang, GangPod, Marks } from './scheduler';

/** What has come of a submission. */
export interface Scheduled {
  /** What has to be there before the driver, without what makes it the application's. Default: nothing. */
  readonly group?: PodGroup;
  readonly warnings: readonly Problem[];
}

/** A submission whose Spark properties may still change. */
export interface Schedulable extends PodSource {
  readonly metadata: { readonly name: string };
  readonly identity: { readonly applicationId: string };
  readonly properties: SparkProperties;
}

/** What the pods of the roles are made from, with all customisation, and the name of Spark's container in it. */
export type GangTemplates = { readonly [role in Role]: () => { readonly template: PodTemplate; readonly container: string } };

/**
 * The specification of an application that chooses no scheduler, with the operator's default. One that names a scheduler in whatever way stays with it.
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

/** KubernetesConf.schedulerName */
const SCHEDULER_PROPERTIES = ['spark.kubernetes.scheduler.name', 'spark.kubernetes.driver.scheduler.name', 'spark.kubernetes.executor.scheduler.name'] as const;

/**
 * Tells the batch scheduler of an application what it is to be told: labels and annotations go onto driver and executors as Spark properties, which is the same for all ways of a submission.
 * `schedulerName` is not done here: what `batchScheduler` says goes onto the pods in any case.
 *
 * @param settings undefined: the operator does no batch scheduling
 * @param isDefault the scheduler is the operator's default, and not what the application says
 * @throws SubmissionError if the scheduler, or Kubernetes, would refuse what follows from the options
 */
export function schedule(submission: Schedulable, templates: GangTemplates, settings: BatchSchedulerSettings | undefined, isDefault = false): Scheduled {
  const { spec: { batchScheduler, batchSchedulerOptions = {} }, properties, metadata, identity } = submission;
  const scheduler = settings && batchScheduler ? schedulerNamed(batchScheduler, settings) : undefined;
  if (!scheduler) return { warnings: unscheduled(submission, settings) };
  const made = { driver: templates.driver(), executor: templates.executor() };
  const unknown = amountsKnownInDriver(properties);
  const plan = scheduler.plan({
    application: metadata.name,
    applicationId: identity.applicationId,
    options: batchSchedulerOptions,
    gang: unknown.length > 0 ? undefined : gangOf(submission, made),
    own: (role, where, name) => ownMark(submission, made[role].template, role, where, name),
  });
  const warnings = [
    ...unread(scheduler, batchSchedulerOptions),
    ...(batchSchedulerOptions.resources && scheduler.options.includes('resources') ? [] : unknown.slice(0, 1)).map(({ field }): Problem => ({
      path: field, reason: `is known only in the driver: ${scheduler.name} does not know what the application needs`, severity: 'warning',
    })),
    ...plan.warnings ?? [],
    ...setMarks(properties, 'driver', plan.driver, isDefault),
    ...setMarks(properties, 'executor', plan.executor, isDefault),
  ];
  return { group: plan.group, warnings };
}

function gangOf(submission: Schedulable, made: { readonly [role in Role]: ReturnType<GangTemplates[Role]> }): Gang {
  const pod = (role: Role): GangPod => ({
    spec: sparkPod(submission, role, made[role].template.spec as PodSpec | null | undefined, made[role].container),
    labels: { ...submission.spec[role].labels },
  });
  return { driver: pod('driver'), executor: pod('executor'), executors: initialExecutors(submission.properties, submission.version).count };
}

/** Spark puts those of its properties over those of a template. */
function ownMark({ properties }: Schedulable, template: PodTemplate, role: Role, where: keyof Marks, name: string): string | undefined {
  const metadata = template.metadata as { readonly [key in keyof Marks]?: Marks[key] | null } | null | undefined;
  return properties.get(prefixOf(role, where) + name) || metadata?.[where]?.[name] || undefined;
}

function prefixOf(role: Role, where: keyof Marks): string {
  return `spark.kubernetes.${role}.${where === 'labels' ? 'label' : 'annotation'}.`;
}

/** Where the operator's default is written. */
export const DEFAULT_FLAG = '--default-batch-scheduler';

/** @returns what of the user's is replaced */
function setMarks(properties: SparkProperties, role: Role, marks: Marks, isDefault: boolean): Problem[] {
  const by = isDefault ? DEFAULT_FLAG : 'spec.batchScheduler';
  return (['labels', 'annotations'] as const).flatMap((where) => Object.entries(marks[where] ?? {}).flatMap(([name, value]) => {
    const key = prefixOf(role, where) + name;
    const [before, field] = [properties.get(key), properties.fieldOf(key)];
    properties.set(key, value, by);
    return before === undefined || before === value ? [] : [{ path: field, reason: `is overridden by ${isDefault ? `the operator's ${DEFAULT_FLAG}` : `${by} and its options`}`, severity: 'warning' }];
  }));
}

/** What of the options a scheduler is not told. */
function unread({ name, options }: BatchScheduler, given: object): Problem[] {
  return Object.entries(given).filter(([option, value]) => value !== undefined && !(options as readonly string[]).includes(option))
    .map(([option]) => withoutEffect(`spec.batchSchedulerOptions.${option}`, ` with ${name}`));
}

/** What is said of batch scheduling, and does less than it seems to. */
function unscheduled({ spec: { batchScheduler, batchSchedulerOptions } }: Schedulable, settings: BatchSchedulerSettings | undefined): Problem[] {
  if (!batchScheduler) return batchSchedulerOptions ? [withoutEffect('spec.batchSchedulerOptions', ' without spec.batchScheduler')] : [];
  const because = settings
    ? `is none that the operator knows: ${schedulersOf(settings).map(({ name }) => name).join(', ')} (--kube-scheduler-names adds more)`
    : 'is not told of the application as a whole: the operator runs without --enable-batch-scheduler=true';
  return [{ path: 'spec.batchScheduler', reason: `${because}; the pods only name it as their scheduler`, severity: 'warning' }];
}
