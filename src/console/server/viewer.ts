import type { IncomingMessage } from 'node:http';
import type { Session } from '../wire';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../../model/resources';

/** Something that a user may do or not, in the words of RBAC. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** @default - all namespaces */
  readonly namespace?: string;
  /** @default - all of them */
  readonly name?: string;
}

/** Somebody who looks at the console. */
export interface Viewer {
  /** What the page is told of them. */
  readonly session: Pick<Session, 'user' | 'readOnly'>;
  /** Whether they may do something. Cheap to ask again. */
  may(right: Right): Promise<boolean>;
  /**
   * Has to be called before the server reads something for them with its own rights.
   *
   * @throws {HttpError} 403 if they may not
   */
  require(right: Right): Promise<void>;
  /** Whether what they were let in with still holds. */
  isStillValid(): Promise<boolean>;
}

/**
 * Returns the viewer that a request comes from.
 *
 * The signal is aborted when the client has gone, and ends all questions of the viewer.
 *
 * @throws {HttpError} 401 for an unknown viewer, 503 if the answer would take too long
 */
export type Authenticate = (request: IncomingMessage, signal: AbortSignal) => Promise<Viewer>;

export const LIST_APPLICATIONS: Right = { verb: 'list', group: SPARK_APPLICATIONS.group, resource: SPARK_APPLICATIONS.plural };
export const GET_APPLICATION: Right = { ...LIST_APPLICATIONS, verb: 'get' };
export const PATCH_APPLICATION: Right = { ...LIST_APPLICATIONS, verb: 'patch' };
export const DELETE_APPLICATION: Right = { ...LIST_APPLICATIONS, verb: 'delete' };
export const LIST_SCHEDULES: Right = { verb: 'list', group: SCHEDULED_SPARK_APPLICATIONS.group, resource: SCHEDULED_SPARK_APPLICATIONS.plural };
export const PATCH_SCHEDULE: Right = { ...LIST_SCHEDULES, verb: 'patch' };
export const FORWARD_PORT: Right = { verb: 'get', group: '', resource: 'pods', subresource: 'portforward' };
export const READ_LOG: Right = { verb: 'get', group: '', resource: 'pods', subresource: 'log' };

/** Names a right for people, such as `list sparkapplications.sparkoperator.k8s.io in team-a`. */
export function rightText({ verb, group, resource, subresource, namespace, name }: Right): string {
  const what = `${resource}${subresource ? `/${subresource}` : ''}${group ? `.${group}` : ''}`;
  return `${verb} ${what}${name ? ` ${name}` : ''} in ${namespace ?? 'all namespaces'}`;
}
