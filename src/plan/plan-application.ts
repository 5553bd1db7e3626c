import type { SparkApplicationSpec } from '../api/spark-application';
import type { AppliedDefaults } from '../api/spark-application-status';
import { isObject } from '../model/is-object';
import { problemText, type Problem } from '../model/problem';
import { podTemplateViolations } from '../rules/pod-template';
import { podTemplateSchema } from '../rules/schemas';
import { isLongerThan } from '../text/json-bytes';
import { fieldViolations } from './checks/fields';
import { propertyViolations } from './checks/properties';
import { chooseSubmission, requestedMode, SUBMISSION_MODE_FLAG } from './choose';
import { applyLayers } from './defaults/apply';
import type { CurrentDefaults } from './defaults/layer';
import { specViolations } from './defaults/partial-schema';
import { reasonsAgainstNative } from './native/reasons-against';
import { oversizedViolations } from './oversized';
import { planNative, planSparkSubmit, type SparkSubmitPlan, type SubmissionPlan } from './plan';
import { prepareSubmission, type PreparedSubmission, type SubmissionContext } from './prepare';
import { MAX_PROBLEMS, Problems } from './problems';
import { checkHeap } from './properties/check-heap';
import { refuseDeniedConf } from './properties/denied-conf';
import { refuseDeniedOptions } from './properties/denied-options';
import type { SubmittedApplication } from './properties/properties';
import { ROLES } from './properties/role';
import type { SubmissionSettings } from './settings';
import { reasonsAgainstSparkSubmit } from './spark-submit/reasons-against';

/** Configuration and state of the cluster that a plan depends on. */
export interface PlanSettings {
  /** Configuration of the operator. */
  readonly submission: SubmissionSettings;
  /** Defaults and limits of cluster and namespace. @default - none */
  readonly defaults?: CurrentDefaults;
}

/** Attempt, id and time of a submission. */
export type SubmissionIds = Pick<SubmissionContext, 'submissionID' | 'attempt' | 'submitTime'>;

/** Ids of a submission that is only checked. */
export const SOME_SUBMISSION: SubmissionIds = {
  attempt: 1, submissionID: '00000000-0000-0000-0000-000000000000', submitTime: new Date(0),
};

/** Options of a plan. */
export interface PlanOptions {
  /** @default SOME_SUBMISSION */
  readonly ids?: SubmissionIds;
  /**
   * The stored specification: as in the API server, its violations of the schema remain valid.
   * @default - none
   */
  readonly before?: unknown;
  /**
   * Whether defaults can still supply a missing image, so that it is a warning: the application is
   * checked before its submission.
   * @default false
   */
  readonly imageCanFollow?: boolean;
  /** Name of the driver's Pod. @default - from the specification */
  readonly driverPodName?: string;
}

/** The objects of a submission. */
export type PlannedSubmission =
  | { readonly kind: 'native'; readonly objects: SubmissionPlan }
  /** `because`: a sentence for log and event. */
  | { readonly kind: 'spark-submit'; readonly because: string; readonly objects: SparkSubmitPlan };

const CHECKED_TOGETHER = 'is checked together with the fields of ConfigMap';

/** Whether a problem only names the defaults that were applied to a specification with errors. */
export function isAboutDefaults({ reason }: Problem): boolean {
  return reason.startsWith(CHECKED_TOGETHER);
}

/** A submission that is possible. */
export interface Submittable {
  readonly prepared: PreparedSubmission;
  readonly submission: PlannedSubmission;
}

/** Result of planning an application. */
export interface Plan {
  readonly problems: readonly Problem[];
  /** Defaults of cluster and namespace in the planned specification. */
  readonly appliedDefaults: readonly AppliedDefaults[];
  /** Absent if there are errors, or if the defaults are unusable. */
  readonly submittable?: Submittable;
}

/**
 * Specifications with more characters of JSON get one run of each step, as a run can last 20 ms.
 */
const LARGE = { characters: 32 * 1024, runs: 1 } as const;

/**
 * Plans the submission of an application: what the API server and the operator reject, fields
 * without effect, and the objects that the operator creates. Pure. Synthesis, sparkctl, the webhook
 * and the operator all call it, and so reject the same input with the same words.
 */
export function planApplication(application: SubmittedApplication, settings: PlanSettings, options: PlanOptions = {}): Plan {
  const { spec } = application;
  if (!isObject(spec)) return rejected([{ path: 'spec', reason: spec === undefined ? 'is required' : 'must be an object' }]);
  // The following steps take quadratic time in some parts.
  const ofSize = oversizedViolations(application);
  if (ofSize.length > 0) return rejected(ofSize);
  const ofSchema = known(specViolations(spec));
  const stored = new Set(isObject(options.before) && ofSchema.length > 0 ? known(specViolations(options.before)).map(problemText) : []);
  const added = ofSchema.filter((problem) => !stored.has(problemText(problem)));
  if (added.length > 0) return rejected(added);
  try {
    return planWithTypes(application, settings, options);
  } catch (error) {
    // A stored specification can violate a schema that is newer.
    if (ofSchema.length > 0) return rejected(ofSchema);
    throw error;
  }
}

function rejected(problems: readonly Problem[]): Plan {
  return { problems, appliedDefaults: [] };
}

/** Removes unknown fields: the API server drops them. */
function known(found: readonly Problem[]): Problem[] {
  return found.filter(({ unknown }) => !unknown);
}

/** Plans an application whose values have valid types. */
export function planWithTypes(application: SubmittedApplication, settings: PlanSettings, options: PlanOptions = {}): Plan {
  const { metadata: { namespace } } = application;
  const { defaults: current } = settings;
  const problems = new Problems(isLongerThan(application.spec, LARGE.characters) ? LARGE.runs : undefined);
  if (current?.kind === 'unusable') {
    // Missing fields can come from defaults; these errors remain.
    refuseDeniedConf(application.spec.sparkConf ?? {}, namespace, problems);
    refuseDeniedOptions(application.spec, namespace, problems);
    problems.report([{ path: 'spec', reason: `is not checked, and the application waits: ${current.reason}`, severity: 'warning' }]);
    return { problems: problems.list, appliedDefaults: [] };
  }
  const { spec, applied, violations } = current
    ? applyLayers(application, current.layers)
    : { spec: application.spec, applied: [], violations: [] };
  const planned = { ...application, spec: options.driverPodName === undefined ? spec : withPodName(spec, options.driverPodName) };
  problems.report(violations.map(({ problem }) => problem));
  const ofTemplates = ROLES.flatMap(
    (role) => known(podTemplateViolations(podTemplateSchema(), spec[role].template ?? undefined, `spec.${role}.template`)),
  );
  // The following steps rely on the types.
  if (ofTemplates.length === 0) problems.report(fieldViolations(spec));
  const submittable = ofTemplates.length > 0
    ? problems.report(ofTemplates)
    : submittableOf(planned, settings, {
      ...contextOf(settings.submission, options.ids ?? SOME_SUBMISSION, applied), imageCanFollow: options.imageCanFollow,
    }, problems);
  if (!problems.hasErrors && submittable) return { problems: problems.list, appliedDefaults: applied, submittable };
  if (applied.length > 0) {
    const names = applied.map(({ configMap }) => configMap).join(' and ');
    problems.report([{ path: 'spec', reason: `${CHECKED_TOGETHER} ${names}`, severity: 'warning' }]);
  }
  return { problems: problems.list, appliedDefaults: applied };
}

function withPodName(spec: SparkApplicationSpec, podName: string): SparkApplicationSpec {
  return { ...spec, driver: { ...spec.driver, podName } };
}

/** Returns the context of a submission. */
export function contextOf(
  { mode: _, modeAnnotation: __, ...settings }: SubmissionSettings, ids: SubmissionIds, applied: readonly AppliedDefaults[],
): SubmissionContext {
  return {
    ...settings, ...ids,
    defaultsVersion: applied.map(({ configMap, resourceVersion }) => `${configMap}@${resourceVersion}`).join() || undefined,
  };
}

function submittableOf(
  application: SubmittedApplication, { submission: { mode, modeAnnotation } }: PlanSettings, context: SubmissionContext, problems: Problems,
): Submittable | undefined {
  const requested = problems.attempt(() => requestedMode(application.metadata.annotations, { mode, modeAnnotation }))
    ?? { mode, field: SUBMISSION_MODE_FLAG };
  const prepared = problems.attempt(() => prepareSubmission(application, { ...context, steps: problems }));
  if (!prepared) return undefined;
  const { properties } = prepared;
  problems.report(propertyViolations(properties));
  for (const role of ROLES) problems.attempt(() => checkHeap(properties, role, prepared.version), properties);
  const againstNative = reasonsAgainstNative(prepared);
  const isNative = requested.mode !== 'spark-submit' && againstNative.length === 0;
  const choice = chooseSubmission({
    requested,
    againstNative,
    againstSparkSubmit: isNative ? [] : reasonsAgainstSparkSubmit(prepared),
  });
  if (choice.kind === 'refused') {
    problems.reject(choice.error.problem);
    properties.discard(...againstNative.slice(0, MAX_PROBLEMS).map(({ field }) => field));
  }
  const submission = problems.attempt((): PlannedSubmission => (choice.kind === 'spark-submit'
    ? { ...choice, objects: planSparkSubmit(prepared) }
    : { kind: 'native', objects: planNative(prepared) }), properties);
  problems.report(submission?.objects.warnings ?? prepared.warnings);
  return submission && { prepared: { ...prepared, context }, submission };
}
