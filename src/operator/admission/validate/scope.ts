import { isDeepStrictEqual } from 'node:util';
import type { SparkApplicationSpec } from '../../../api/spark-application';
import type { Schema } from '../../../rules/schema';
import { asStored } from '../../../rules/stored';
import type { KubeObject } from '../../../kube/objects';
import { specHash } from '../../spark-application/spec-change';
import type { AdmissionRequest } from '../review';
import type { AdmissionDependencies } from '../world';
import { isObject } from '../../../model/is-object';

/** An object of one of the kinds, as it comes: the API server has held it to the schema, unless somebody else has sent it. */
export interface WithSpec<S> extends KubeObject {
  readonly spec: S;
}

/**
 * What is written, and what stood there before; undefined if it is none of this operator's business.
 *
 * @param schema of the specification
 */
export function written<S>(schema: Schema, { isSelected }: Pick<AdmissionDependencies, 'isSelected'>, { operation, subResource, namespace, object, oldObject }: AdmissionRequest): { readonly now: WithSpec<S>; readonly before?: WithSpec<S> } | undefined {
  if (operation !== 'CREATE' && operation !== 'UPDATE') return undefined;
  if (subResource || !object || !isSelected(namespace)) return undefined;
  // What is on its way out only has its finalizers taken off.
  if (object.metadata?.deletionTimestamp) return undefined;
  const now = object as WithSpec<S>;
  const before = operation === 'UPDATE' ? oldObject as WithSpec<S> | undefined : undefined;
  // Stored before there were rules; it has not become worse.
  if (before && !isObject(now.spec) && isDeepStrictEqual(now.spec, before.spec)) return undefined;
  return { now: stored(schema, now), ...(isObject(before?.spec) && { before: stored(schema, before as WithSpec<S>) }) };
}

/** Null is nothing, and what has a default has it: so the API server has made it, unless somebody else asks. */
function stored<S>(schema: Schema, object: WithSpec<S>): WithSpec<S> {
  return isObject(object.spec) ? { ...object, spec: asStored(schema, object.spec) as S } : object;
}

/**
 * Whether two specifications ask for the same, but for whether it is to run now: who holds something back or lets it go on again is not to be kept from
 * that by limits that have come since.
 */
export function isSame(spec: unknown, before: unknown): boolean {
  return isDeepStrictEqual(spec, before) || (isObject(spec) && isObject(before) && isDeepStrictEqual(withoutSuspend(spec), withoutSuspend(before)));
}

/** Whether two specifications of applications have the same run: an edit from one to the other runs nothing. */
export function isSameRun(spec: unknown, before: unknown): boolean {
  return isObject(spec) && isObject(before) && specHash(spec as unknown as SparkApplicationSpec) === specHash(before as unknown as SparkApplicationSpec);
}

function withoutSuspend({ suspend: _, ...rest }: Readonly<Record<string, unknown>>): object {
  return rest;
}

/** Stands for the id of an object that has none yet. */
export const SOME_UID = '00000000-0000-0000-0000-000000000000';

/** In place of what the API server has not made up yet. */
const NAMELESS = 'unnamed';

/** The name of the object. */
export function nameOf({ name, object }: AdmissionRequest): string {
  const { metadata } = object as { metadata?: { name?: unknown; generateName?: unknown } };
  const [own, beginning] = [metadata?.name, metadata?.generateName].map((text) => (typeof text === 'string' ? text : ''));
  return own || name || (beginning ? `${beginning}00000` : NAMELESS);
}
