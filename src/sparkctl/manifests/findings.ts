import { maxNameReasonOf, type KindDefinition } from '../../api/kind';
import { SCHEDULED_SPARK_APPLICATION } from '../../api/scheduled-spark-application';
import { SPARK_CONNECT, type SparkConnectSpec } from '../../api/spark-connect';
import { planOf } from '../render/submission';
import { planConnect } from '../../plan/plan-connect';
import { inTemplate, scheduleProblems } from '../../plan/plan-schedule';
import { reasonsAgainstNative } from '../../plan/native/reasons-against';
import { specSchema } from '../../rules/schemas';
import { asStored } from '../../rules/stored';
import { isObject } from '../../model/is-object';
import { isError, moved, problemText, type Problem } from '../../model/problem';
import { applicationOf } from '../render/application';
import type { RenderSettings } from '../render/settings';
import type { KindName } from '../target';
import { objectMetadataViolations, sparkApplicationViolations } from './check';
import { wrongVersion } from './kinds';
import type { ManifestObject } from './read';

/** Error or warning about an object. */
export interface Finding {
  /**
   * Error: the API server or the operator rejects it. Warning: a field without its apparent effect.
   */
  readonly severity: 'error' | 'warning';
  /** Path of the field, such as `spec.driver.memory`; empty for the whole object. */
  readonly field: string;
  /** Sentence that begins with the field and names the remedy. It contains no secrets. */
  readonly message: string;
  /** The parts of the message. */
  readonly problem: Problem;
}

/** Defaults of the operator's flags. */
const SETTINGS: RenderSettings = {
  mode: 'auto', sparkUser: 'spark', master: 'k8s://https://kubernetes.default.svc',
};

/** Returns metadata for the rules of a specification. */
function someMetadata({ metadata }: ManifestObject): { readonly name: string; readonly namespace: string; readonly uid: string } {
  const namespace = isObject(metadata) ? metadata.namespace : undefined;
  return { name: 'a', namespace: typeof namespace === 'string' ? namespace : 'default', uid: '' };
}

function isOfMetadata(path: string): boolean {
  return /^metadata\b/.test(path);
}

/**
 * Finds errors of an object and fields without effect. The rules are those of the API server, and
 * of an operator with default flags.
 */
export function findingsOf(object: ManifestObject, kind: KindName): Finding[] {
  const version = wrongVersion(object, kind);
  if (version !== undefined) return [findingOf({ path: 'apiVersion', value: object.apiVersion, reason: version })];
  switch (kind) {
    case 'application': return findingsOfApplication(object);
    case 'schedule': return findingsOfSchedule(object);
    case 'connect': return findingsOfConnect(object);
  }
}

function findingsOfApplication(object: ManifestObject): Finding[] {
  const found = sparkApplicationViolations(object);
  // Rules need fields of the right types, but no right name.
  if (found.some(({ path }) => !isOfMetadata(path))) return found.map(findingOf);
  const named = found.length === 0 ? object : { ...object, metadata: someMetadata(object) };
  const { problems, submittable } = planOf(applicationOf(named, SETTINGS), SETTINGS, { imageCanFollow: true });
  const [bySparkSubmit] = submittable?.submission.kind === 'spark-submit' ? reasonsAgainstNative(submittable.prepared) : [];
  return [
    ...[...found, ...problems].map(findingOf),
    ...(bySparkSubmit ? [findingOf({
      path: bySparkSubmit.field, severity: 'warning',
      reason: `${bySparkSubmit.reason}: the operator runs spark-submit for it, in a Pod of its namespace`,
    })] : []),
  ];
}

function findingsOfSchedule(object: ManifestObject): Finding[] {
  const { metadata, spec } = object;
  const ofMetadata = objectMetadataViolations(metadata, limitOf(SCHEDULED_SPARK_APPLICATION));
  const ofRuns = isObject(spec) ? scheduleProblems({ metadata: someMetadata(object), spec }, { submission: SETTINGS }) : [];
  const ofPlan = [...wholeViolations(object), ...ofRuns];
  const template = isObject(spec) ? spec.template : undefined;
  const ofTemplate = isObject(template)
    ? findingsOfApplication({
      apiVersion: object.apiVersion,
      kind: 'SparkApplication',
      metadata: ofMetadata.length > 0 ? { name: 'run' } : metadata,
      spec: template,
    })
    : [];
  return [
    ...[...ofMetadata, ...ofPlan].map(findingOf),
    ...ofTemplate.map(({ problem }) => findingOf(moved(problem, inTemplate))),
  ];
}

function findingsOfConnect(object: ManifestObject): Finding[] {
  const ofMetadata = objectMetadataViolations(object.metadata, limitOf(SPARK_CONNECT));
  const whole = wholeViolations(object);
  if (whole.length > 0 || !isObject(object.spec)) return [...ofMetadata, ...whole].map(findingOf);
  const given = object.metadata as { readonly name: string; readonly namespace?: string };
  const { name, namespace = 'default' } = ofMetadata.length === 0 ? given : someMetadata(object);
  const spec = asStored(specSchema(SPARK_CONNECT), object.spec) as SparkConnectSpec;
  const { problems } = planConnect({ metadata: { name, namespace, uid: '', generation: 1 }, spec }, { submission: SETTINGS });
  return [...ofMetadata, ...problems].map(findingOf);
}

/** Finds violations outside of the specification's fields. */
function wholeViolations(
  { spec, status: _, apiVersion: _version, kind: _kind, metadata: _metadata, ...others }: ManifestObject,
): Problem[] {
  const unknown = Object.keys(others).map((path): Problem => ({
    path, value: undefined, reason: 'is not a field; known are apiVersion, kind, metadata and spec', unknown: true,
  }));
  if (spec === undefined || spec === null) return [...unknown, { path: 'spec', value: undefined, reason: 'is required' }];
  return typeof spec === 'object' && !Array.isArray(spec)
    ? unknown
    : [...unknown, { path: 'spec', value: spec, reason: 'must be an object' }];
}

function limitOf(kind: KindDefinition) {
  return { length: kind.maxNameLength!, reason: maxNameReasonOf(kind) };
}

/** Returns a problem as a finding. */
export function findingOf(problem: Problem): Finding {
  return { severity: isError(problem) ? 'error' : 'warning', field: problem.path, message: problemText(problem), problem };
}
