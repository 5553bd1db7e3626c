import { SPARK_APPLICATION } from '../../api/spark-application';
import { ApiError, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import { apiVersionOf, type Resource } from '../../kube/resource';
import { withoutSecrets } from '../../text/redaction';

/** Why an object is not as it is wanted. */
export interface Problem {
  /** The object: its kind and name. */
  readonly key: string;
  /** What to tell users; undefined if it is likely to pass before anybody has read it. */
  readonly sentence?: string;
  /** When another try is worth while, in milliseconds since the epoch. */
  readonly notBefore: number;
}

/** What does not pass by itself is tried again after this time, in milliseconds. */
export const SLOW_RETRY = 5 * 60_000;
const FIRST_RETRY = 2_000;
/** What passes by itself is told when it has not after so many tries. */
const TRIES_BEFORE_TELLING = 3;

/** An object of the name that is needed, which is not the application's. */
export class InTheWay extends Error {
  constructor(public readonly belonging: 'leaving' | 'foreign') {
    super(belonging);
  }
}

/** What objects belong to. */
export interface Owner {
  readonly metadata: KubeObject['metadata'] & { readonly namespace: string; readonly uid: string };
  /** @default SparkApplication */
  readonly ownerKind?: string;
}

/** Whose an object is that has a name which an application needs: its controller tells. */
export function ownerOfObject({ metadata }: KubeObject, { ownerKind = SPARK_APPLICATION.kind, ...application }: Owner): 'ours' | InTheWay['belonging'] {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  if (controller?.uid === application.metadata.uid) return metadata.deletionTimestamp ? 'leaving' : 'ours';
  const isOfPredecessor = controller?.kind === ownerKind && controller.name === application.metadata.name;
  return metadata.deletionTimestamp || isOfPredecessor ? 'leaving' : 'foreign';
}

/** What came of a try. */
export interface FailedTry {
  readonly key: string;
  readonly resource: Resource;
  readonly name: string;
  readonly verb: 'make' | 'remove';
  readonly error: unknown;
  /** How often it has failed in a row, this time included. */
  readonly count: number;
  readonly now: number;
}

/** What a failed try means: whether somebody has to do something, and when to try again. */
export function problemOf(failed: FailedTry): Problem {
  const { key, error, count, now } = failed;
  const reason = reasonOf(failed);
  const passes = reason === undefined;
  const pause = passes ? Math.min(FIRST_RETRY * 2 ** (count - 1), SLOW_RETRY) : SLOW_RETRY;
  const text = reason ?? (count >= TRIES_BEFORE_TELLING ? textOf(error) : undefined);
  return { key, ...text !== undefined && { sentence: `${failed.resource.kind} ${failed.name} cannot be ${failed.verb === 'make' ? 'made' : 'removed'}: ${text}` }, notBefore: now + pause };
}

/** Why somebody has to do something; undefined for what passes by itself. */
function reasonOf({ error, resource, name }: FailedTry): string | undefined {
  if (error instanceof InTheWay) {
    return error.belonging === 'foreign' ? `one of this name exists that does not belong to the application; delete or rename ${resource.kind} ${name}` : undefined;
  }
  if (isNotFound(error) && (error as ApiError).call.verb === 'list') return `the cluster does not serve ${resource.plural} of ${apiVersionOf(resource)}`;
  return error instanceof ApiError && [400, 403, 404, 405, 413, 422].includes(error.status) ? textOf(error) : undefined;
}

function textOf(error: unknown): string {
  if (error instanceof InTheWay) return 'one of before is still being deleted';
  return withoutSecrets(error instanceof ApiError ? error.serverMessage || error.reason : (error as Error).message);
}
