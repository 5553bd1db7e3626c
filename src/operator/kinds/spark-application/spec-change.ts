import type { SparkApplicationSpec } from '../../../api/spark-application';
import { ApplicationState } from '../../../api/states';
import { executorOnly, withoutExecutorOnly } from '../../../model/executor-only';
import { hashOf } from '../../../model/hash';
import { isBeginning, stateOf, type SparkApplication } from '../../../model/spark-application';

/** Fields that do not affect the run: a change of them does not run the application again. */
const WITHOUT_EFFECT_ON_RUN: ReadonlySet<string> = new Set<keyof SparkApplicationSpec>(['suspend', 'timeToLiveSeconds']);

/**
 * Returns a specification's hash for the status: 16 hexadecimal digits that change when the
 * specification asks for a different run. The order of the fields does not matter.
 */
export function specHash(spec: SparkApplicationSpec): string {
  return hashOf(Object.fromEntries(Object.entries(spec).filter(([field]) => !WITHOUT_EFFECT_ON_RUN.has(field))));
}

/** Separator of the two parts of a hash. */
const SEPARATOR = '.';

/**
 * Returns the hash of a specification whose executors get some fields by the webhook. Its second
 * part is that of these fields.
 */
function hashInParts(spec: SparkApplicationSpec): string {
  const { executor = {} } = spec;
  return [specHash({ ...spec, executor: withoutExecutorOnly(executor) }), hashOf(executorOnly(executor))].join(SEPARATOR);
}

/** States in which an attempt has a driver, or is about to have one. */
const WITH_DRIVER: readonly string[] = [ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN];

/**
 * Whether an attempt runs a specification as it is now. An attempt with a hash in parts that has a
 * driver, or is about to have one, gives changes of executors to its new executors.
 *
 * @param partialRestart whether the webhook sets these fields now: it can be off since the attempt
 * began
 */
export function isRunOf(hash: string, { spec, cut, status }: SparkApplication, partialRestart = false): boolean {
  if (!hash.includes(SEPARATOR)) return hash === (cut?.hash ?? specHash(spec as SparkApplicationSpec));
  if (cut) return false;
  const now = hashInParts(spec as SparkApplicationSpec);
  const keepsDriver = partialRestart && (isBeginning({ status }) || WITH_DRIVER.includes(stateOf({ status })));
  return now === hash || (keepsDriver && now.split(SEPARATOR)[0] === hash.split(SEPARATOR)[0]);
}

/**
 * Whether a changed specification requires a new run of the application. Only a user's write
 * requires it: a new version of the CRD that adds a default to all stored objects does not.
 */
export function isSpecChanged(application: SparkApplication, partialRestart = false): boolean {
  const { metadata: { generation }, status: { specHash: hash, observedGeneration } = {} } = application;
  return hash !== undefined && generation !== observedGeneration && !isRunOf(hash, application, partialRestart);
}

/**
 * Returns the new hash of an attempt if an edit has changed only fields that its new executors get;
 * undefined otherwise, and if the attempt is to be suspended.
 */
export function changedExecutors(application: SparkApplication, partialRestart = false): string | undefined {
  const { metadata, spec, cut, status } = application;
  const hash = status?.specHash;
  if (!hash?.includes(SEPARATOR) || cut || spec.suspend || metadata.generation === status?.observedGeneration) return undefined;
  if (!isRunOf(hash, application, partialRestart)) return undefined;
  const now = hashInParts(spec as SparkApplicationSpec);
  return now === hash ? undefined : now;
}

/**
 * Returns the hash of an application's specification, even if the specification is not kept in
 * memory.
 *
 * @param inParts whether executors of the attempt get some fields by the webhook; not for
 * specifications that are not kept
 */
export function specHashOf({ spec, cut }: SparkApplication, inParts = false): string {
  if (cut) return cut.hash;
  return inParts ? hashInParts(spec as SparkApplicationSpec) : specHash(spec as SparkApplicationSpec);
}
