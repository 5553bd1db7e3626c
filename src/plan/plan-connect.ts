import { SPARK_CONNECT, type SparkConnectSpec } from '../api/spark-connect';
import { isObject } from '../model/is-object';
import { isError, moved, problemText, withoutEffect, type Problem } from '../model/problem';
import { podTemplateSchema, specSchema } from '../rules/schemas';
import { sparkConnectTypeViolations, sparkConnectViolations } from './checks/spark-connect';
import { asApplication, inWordsOfConnect } from './connect/as-application';
import { connectLimitViolations } from './connect/limit-violations';
import { planWithTypes, type PlanSettings, type Submittable } from './plan-application';
import { Problems } from './problems';
import type { SubmittedApplication } from './properties/properties';

/** The parts of a SparkConnect that are planned. */
export interface SubmittedConnect {
  readonly metadata: SubmittedApplication['metadata'];
  readonly spec: SparkConnectSpec;
}

/** Result of planning a SparkConnect. */
export interface ConnectPlan {
  readonly problems: readonly Problem[];
  /** The application that Spark sees. Absent if there are errors. */
  readonly submittable?: Submittable;
}

/**
 * Plans a server of Spark Connect as the application that Spark sees. Defaults and batch schedulers
 * are only for applications; limits apply. Fields that the CRD does not have are errors, as the API
 * server drops them.
 *
 * @param before the stored specification: its problems remain valid
 */
export function planConnect(connect: SubmittedConnect, settings: PlanSettings, before?: unknown): ConnectPlan {
  const { metadata, spec } = connect;
  if (!isObject(spec)) return { problems: [{ path: 'spec', reason: spec === undefined ? 'is required' : 'must be an object' }] };
  const problems = new Problems();
  const stored = new Set(
    isObject(before) ? sparkConnectViolations({ metadata, spec: before as unknown as SparkConnectSpec }, schemas()).map(problemText) : [],
  );
  problems.report(sparkConnectViolations(connect, schemas())
    .map((problem) => (isUnknownInTemplate(problem) ? withoutEffect(problem.path, `: it ${problem.reason}`) : problem))
    .filter((problem) => !stored.has(problemText(problem))));
  if (!fitsTypes(spec)) return { problems: problems.list };
  const { defaults: current } = settings;
  if (current?.kind === 'ready') {
    problems.report(connectLimitViolations(connect, current.layers).map(({ problem }) => moved(problem, inWordsOfConnect)));
  } else if (current) {
    problems.report([{ path: 'spec', reason: `is not checked against limits: ${current.reason}`, severity: 'warning' }]);
  }
  const plan = planWithTypes(asApplication(connect), {
    submission: { ...settings.submission, mode: 'native', modeAnnotation: undefined, batchSchedulers: undefined },
  });
  for (const problem of plan.problems.map((found) => moved(found, inWordsOfConnect))) {
    if (isError(problem)) problems.reject(problem);
    else problems.report([problem]);
  }
  return { problems: problems.list, ...(!problems.hasErrors && { submittable: plan.submittable }) };
}

/** Whether the values of a specification have valid types. */
export function fitsTypes(spec: SparkConnectSpec): boolean {
  return sparkConnectTypeViolations(spec, schemas()).every(({ unknown }) => unknown);
}

/** Whether a field is unknown to the pod templates, which the CRD leaves open. */
function isUnknownInTemplate({ path, unknown }: Problem): boolean {
  return unknown === true && /^spec\.(server|executor)\.template\b/.test(path);
}

function schemas() {
  return { spec: specSchema(SPARK_CONNECT), podTemplate: podTemplateSchema() };
}
