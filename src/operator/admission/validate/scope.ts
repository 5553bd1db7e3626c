import { isDeepStrictEqual } from 'node:util';
import type { SparkApplicationSpec } from '../../../api/spark-application';
import type { Schema } from '../../../rules/schema';
import { asStored } from '../../../rules/stored';
import type { KubeObject } from '../../../kube/objects';
import { specHash } from '../../kinds/spark-application/spec-change';
import type { AdmissionRequest } from '../review';
import type { AdmissionDependencies } from '../dependencies';
import { isObject } from '../../../model/is-object';

/**
 * An object of one of the kinds, as it was sent. It fits the schema, unless the client is not an
 * API server.
 */
export interface WithSpec<S> extends KubeObject {
  readonly spec: S;
}

/**
 * Returns the new and the stored object; undefined if the operator does not validate it.
 *
 * @param schema of the specification
 */
export function written<S>(
  schema: Schema, { isSelected }: Pick<AdmissionDependencies, 'isSelected'>,
  { operation, subResource, namespace, object, oldObject }: AdmissionRequest,
): { readonly now: WithSpec<S>; readonly before?: WithSpec<S> } | undefined {
  if (operation !== 'CREATE' && operation !== 'UPDATE') return undefined;
  if (subResource || !object || !isSelected(namespace)) return undefined;
  // An update of an object that is being deleted only removes finalizers.
  if (object.metadata?.deletionTimestamp) return undefined;
  const now = object as WithSpec<S>;
  const before = operation === 'UPDATE' ? oldObject as WithSpec<S> | undefined : undefined;
  // Stored before the rules existed, and not changed.
  if (before && !isObject(now.spec) && isDeepStrictEqual(now.spec, before.spec)) return undefined;
  return { now: stored(schema, now), ...(isObject(before?.spec) && { before: stored(schema, before as WithSpec<S>) }) };
}

/**
 * Returns an object as the API server stores it: without null, and with defaults. The API server
 * has already done that, but another client might not have.
 */
function stored<S>(schema: Schema, object: WithSpec<S>): WithSpec<S> {
  return isObject(object.spec) ? { ...object, spec: asStored(schema, object.spec) as S } : object;
}

/**
 * Whether two specifications request the same, apart from `suspend`. New limits must not keep a
 * user from suspending or resuming something.
 */
export function isSame(spec: unknown, before: unknown): boolean {
  return isDeepStrictEqual(spec, before)
    || (isObject(spec) && isObject(before) && isDeepStrictEqual(withoutSuspend(spec), withoutSuspend(before)));
}

/**
 * Whether two specifications of applications have the same run, so that an edit from one to the
 * other runs nothing.
 */
export function isSameRun(spec: unknown, before: unknown): boolean {
  return isObject(spec) && isObject(before)
    && specHash(spec as unknown as SparkApplicationSpec) === specHash(before as unknown as SparkApplicationSpec);
}

function withoutSuspend({ suspend: _, ...rest }: Readonly<Record<string, unknown>>): object {
  return rest;
}

/** Placeholder for the uid of an object that has none yet. */
export const SOME_UID = '00000000-0000-0000-0000-000000000000';

/** Placeholder for a name that the API server has not generated yet. */
const NAMELESS = 'unnamed';

/** Returns the name of the object. */
export function nameOf({ name, object }: AdmissionRequest): string {
  const { metadata } = object as { metadata?: { name?: unknown; generateName?: unknown } };
  const [own, beginning] = [metadata?.name, metadata?.generateName].map((text) => (typeof text === 'string' ? text : ''));
  return own || name || (beginning ? `${beginning}00000` : NAMELESS);
}
