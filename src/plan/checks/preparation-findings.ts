import type { SparkApplicationSpec } from '../../api/spark-application';
import { chooseSubmission, requestedMode, SUBMISSION_MODE_FLAG } from '../choose';
import type { SubmissionError } from '../errors';
import { planNative, planSparkSubmit, type SubmissionPlan } from '../plan';
import { prepareSubmission, type PreparedSubmission } from '../prepare';
import type { SubmittedApplication } from '../properties/properties';
import { reasonsAgainstNative, type SubmissionReason } from '../native/reasons-against';
import { bytesOf } from '../../model/spec-facts';
import { reasonsAgainstSparkSubmit, type SparkSubmitPermissions } from '../spark-submit/reasons-against';
import { problemText } from '../../model/problem';
import { mistakeOfError, refusalOf, type Findings, type Mistake } from './findings';
import { isObject } from '../../model/is-object';
import type { CurrentDefaults } from '../defaults/layer';
import type { SubmissionSettings } from '../settings';

/** The dependencies of the checks of an application. */
export interface SubmissionDependencies {
  /** How applications are submitted. */
  readonly submission: SubmissionSettings;
  /** Why spark-submit could not submit an application; undefined: there is no spark-submit. */
  readonly againstSparkSubmit?: (prepared: PreparedSubmission) => SubmissionReason[];
  /** Defaults and limits of the cluster; undefined: there are none. */
  readonly defaults?: { current(namespace: string): CurrentDefaults };
}

/** An application as it would be submitted. */
export interface Submittable {
  readonly prepared: PreparedSubmission;
  /** What would be created natively; undefined if spark-submit does it. */
  readonly plan?: SubmissionPlan;
}

/** What has been found out about an application. */
export interface ApplicationFindings extends Findings {
  /** Undefined if something is wrong, or if nobody can say what would be submitted. */
  readonly submittable?: Submittable;
}

/** A made-up submission: what it is called does not change whether it can be made. */
export const SOME_SUBMISSION = { attempt: 1, submissionID: '00000000-0000-0000-0000-000000000000', submitTime: new Date(0) };

/** The most preparations of one specification, each of which may find one more mistake. */
const MAX_ROUNDS = 8;
/** Specifications with more bytes of JSON are prepared less often, as each time costs at most 20 ms of CPU. */
const LARGE = { bytes: 32 * 1024, rounds: 2 } as const;
/** Further mistakes are not listed: an answer has room for fewer. */
const MAX_MISTAKES = 50;

/**
 * What the preparation refuses. It ends at the first mistake; without the values that are wrong it is made again, so that the user hears of all
 * of them.
 */
export function preparationFindings(application: SubmittedApplication, world: Pick<SubmissionDependencies, 'submission' | 'againstSparkSubmit'>): ApplicationFindings {
  const mistakes: Mistake[] = [];
  let rest = application;
  const rounds = bytesOf(application.spec) > LARGE.bytes ? LARGE.rounds : MAX_ROUNDS;
  for (let round = 0; round < rounds; round++) {
    const { errors, named, prepared: preparation, plan } = attemptOf(rest, world);
    const warnings = (plan?.warnings ?? preparation?.warnings ?? []).map(problemText);
    if (round === 0 && errors.length === 0) return { mistakes, warnings, submittable: { prepared: preparation!, plan } };
    // An image that is missing now may be the one that was left out.
    mistakes.push(...errors.slice(0, MAX_MISTAKES).filter(({ field }) => !isNamed(field, mistakes) && (round === 0 || field !== 'spec.image')).map(mistakeOfError));
    const next = withoutValues(rest, named);
    if (next === rest || mistakes.length > MAX_MISTAKES) return { mistakes, warnings };
    rest = next;
  }
  return { mistakes, warnings: [] };
}

/** Whether one of the mistakes speaks of a field: one error can tell several reasons. */
function isNamed(field: string, mistakes: readonly Mistake[]): boolean {
  return mistakes.some((mistake) => mistake.field === field || mistake.text.includes(`${field} `));
}

/** The application without values that are wrong, as far as nothing else depends on them: properties, and texts and numbers of driver and executors. */
function withoutValues(application: SubmittedApplication, fields: readonly string[]): SubmittedApplication {
  const paths = new Set(fields.map(pathOf).filter((path) => path !== undefined).map((path) => JSON.stringify(path)));
  if (paths.size === 0) return application;
  const spec = without(application.spec as unknown as Fields, [], paths);
  return spec === application.spec as unknown ? application : { ...application, spec: spec as unknown as SparkApplicationSpec };
}

type Fields = Readonly<Record<string, unknown>>;

/** Where a field of errors is: the key of a map of the specification, or a field of driver or executors, or the key of a map there. */
function pathOf(field: string): readonly string[] | undefined {
  const [, key] = /^spec\.sparkConf\[([^]*)\]$/.exec(field) ?? [];
  if (key !== undefined) return ['sparkConf', key];
  const [, role, name, entry] = /^spec\.(driver|executor)\.(\w+)(?:\[([^]*)\])?$/.exec(field) ?? [];
  return role && [role, name!, ...(entry === undefined ? [] : [entry])] as const || undefined;
}

/** Levels of the specification that `pathOf` leads to. */
const MAX_LEVELS = 3;

/**
 * Returns an object without the texts and numbers at some paths; the same object if there are none.
 * Takes time by the number of entries, however many paths there are.
 */
function without(fields: Fields, at: readonly string[], paths: ReadonlySet<string>): Fields {
  let changes = false;
  const kept = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const path = [...at, name];
    const isWrong = (typeof value === 'string' || typeof value === 'number') && paths.has(JSON.stringify(path));
    const rest = isObject(value) && path.length < MAX_LEVELS ? without(value, path, paths) : value;
    changes ||= isWrong || rest !== value;
    return isWrong ? [] : [[name, rest]];
  });
  return changes ? Object.fromEntries(kept) : fields;
}

/** One try to submit an application, up to where something would be created. */
interface Attempt {
  readonly errors: readonly SubmissionError[];
  /** All fields that errors name. */
  readonly named: readonly string[];
  readonly prepared?: PreparedSubmission;
  /** Undefined if spark-submit does it, or if there is none. */
  readonly plan?: SubmissionPlan;
}

/** What an operator without spark-submit would not let it do, so that nobody is told to get it for nothing. */
const NO_PERMISSIONS: SparkSubmitPermissions = { folders: [], packages: false };

function attemptOf(application: SubmittedApplication, { submission: { mode, modeAnnotation, ...settings }, againstSparkSubmit }: Pick<SubmissionDependencies, 'submission' | 'againstSparkSubmit'>): Attempt {
  const errors: SubmissionError[] = [];
  const tried = <T>(make: () => T): T | undefined => {
    let made: T | undefined;
    errors.push(...refusalOf(() => { made = make(); }));
    return made;
  };
  const attempt = (more: object = {}, reasons: readonly SubmissionReason[] = []) => ({ errors, named: [...errors, ...reasons].map(({ field }) => field), ...more });
  const requested = tried(() => requestedMode(application.metadata.annotations, { mode, modeAnnotation })) ?? { mode, field: SUBMISSION_MODE_FLAG };
  const preparation = tried(() => prepareSubmission(application, { ...SOME_SUBMISSION, ...settings }));
  if (!preparation) return attempt();
  const against = { native: reasonsAgainstNative(preparation), sparkSubmit: againstSparkSubmit?.(preparation) ?? reasonsAgainstSparkSubmit(preparation, NO_PERMISSIONS) };
  const choice = chooseSubmission({ requested, runnerAvailable: againstSparkSubmit !== undefined, againstNative: against.native, againstSparkSubmit: against.sparkSubmit });
  if (choice.kind === 'refused') {
    errors.push(choice.error);
    const reasons = [...against.native, ...against.sparkSubmit];
    // What follows from a value that is refused says nothing new; without it it is tried again.
    if (!reasons.some(({ field }) => pathOf(field))) tried(() => planNative(preparation));
    return attempt({ prepared: preparation }, reasons);
  }
  if (choice.kind === 'native') {
    const plan = tried(() => planNative(preparation));
    return attempt({ prepared: preparation, plan });
  }
  const plan = tried(() => planSparkSubmit(preparation));
  return attempt({ prepared: plan ? { ...preparation, warnings: plan.warnings } : preparation });
}
