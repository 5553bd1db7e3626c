import { SPARK_APPLICATION } from '../../api/spark-application';
import { ApiError, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import { apiVersionOf, type Resource } from '../../kube/resource';
import { withoutSecrets } from '../../text/redaction';

/** Reason why an object is not as wanted. */
export interface Problem {
  /** Kind and name of the object. */
  readonly key: string;
  /** Sentence for users; undefined for a problem that is likely to disappear soon. */
  readonly sentence?: string;
  /** Earliest time of the next attempt, in milliseconds since the epoch. */
  readonly notBefore: number;
}

/** Milliseconds until the retry of a failure that needs user action. */
export const SLOW_RETRY = 5 * 60_000;
const FIRST_RETRY = 2_000;
/** Number of attempts after which a temporary failure is reported. */
const TRIES_BEFORE_REPORT = 3;

/** An object with the needed name that does not belong to the application. */
export class InTheWay extends Error {
  constructor(public readonly belonging: 'leaving' | 'foreign') {
    super(belonging);
  }
}

/** Owner of objects. */
export interface Owner {
  readonly metadata: KubeObject['metadata'] & { readonly namespace: string; readonly uid: string };
  /** @default SparkApplication */
  readonly ownerKind?: string;
}

/** Returns the owner of an object whose name an application needs, by its controller reference. */
export function ownerOfObject(
  { metadata }: KubeObject, { ownerKind = SPARK_APPLICATION.kind, ...application }: Owner,
): 'ours' | InTheWay['belonging'] {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  if (controller?.uid === application.metadata.uid) return metadata.deletionTimestamp ? 'leaving' : 'ours';
  const isOfPredecessor = controller?.kind === ownerKind && controller.name === application.metadata.name;
  return metadata.deletionTimestamp || isOfPredecessor ? 'leaving' : 'foreign';
}

/** A failed attempt. */
export interface FailedTry {
  readonly key: string;
  readonly resource: Resource;
  readonly name: string;
  readonly verb: 'make' | 'remove';
  readonly error: unknown;
  /** Number of consecutive failures, including this one. */
  readonly count: number;
  readonly now: number;
}

/** Returns the problem of a failed attempt: whether it needs user action, and when to retry. */
export function problemOf(failed: FailedTry): Problem {
  const { key, error, count, now } = failed;
  const reason = reasonOf(failed);
  const passes = reason === undefined;
  const pause = passes ? Math.min(FIRST_RETRY * 2 ** (count - 1), SLOW_RETRY) : SLOW_RETRY;
  const text = reason ?? (count >= TRIES_BEFORE_REPORT ? textOf(error) : undefined);
  return {
    key, ...text !== undefined && {
      sentence: `${failed.resource.kind} ${failed.name} cannot be ${failed.verb === 'make' ? 'created' : 'removed'}: ${text}`,
    }, notBefore: now + pause,
  };
}

/** Returns the reason if a failure needs user action; undefined if it is temporary. */
function reasonOf({ error, resource, name }: FailedTry): string | undefined {
  if (error instanceof InTheWay) {
    return error.belonging === 'foreign'
      ? `one of this name exists that does not belong to the application; delete or rename ${resource.kind} ${name}`
      : undefined;
  }
  if (isNotFound(error) && (error as ApiError).call.verb === 'list') {
    return `the cluster does not serve ${resource.plural} of ${apiVersionOf(resource)}`;
  }
  return error instanceof ApiError && [400, 403, 404, 405, 413, 422].includes(error.status) ? textOf(error) : undefined;
}

function textOf(error: unknown): string {
  if (error instanceof InTheWay) return 'a previous object is still being deleted';
  return withoutSecrets(error instanceof ApiError ? error.serverMessage || error.reason : (error as Error).message);
}
