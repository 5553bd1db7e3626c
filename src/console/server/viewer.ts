import type { IncomingMessage } from 'node:http';
import type { Session } from '../wire';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../../model/resources';

/** Permission, in the terms of RBAC. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** @default - all namespaces */
  readonly namespace?: string;
  /** @default - all objects */
  readonly name?: string;
}

/** User of the console. */
export interface Viewer {
  /** Facts about the user, for the page. */
  readonly session: Pick<Session, 'user' | 'readOnly'>;
  /** Whether the user has a permission. Answers are cached. */
  may(right: Right): Promise<boolean>;
  /**
   * Checks a permission. The server must call it before it reads something for the user with its
   * own permissions.
   *
   * @throws {HttpError} 403 without the permission
   */
  require(right: Right): Promise<void>;
  /** Whether the user's credentials are still valid. */
  isStillValid(): Promise<boolean>;
}

/**
 * Authenticates a request.
 *
 * The signal is aborted when the client disconnects, which aborts the viewer's reviews.
 *
 * @throws {HttpError} 401 for an unknown user, 503 if the review would take too long
 */
export type Authenticate = (request: IncomingMessage, signal: AbortSignal) => Promise<Viewer>;

export const LIST_APPLICATIONS: Right = { verb: 'list', group: SPARK_APPLICATIONS.group, resource: SPARK_APPLICATIONS.plural };
export const GET_APPLICATION: Right = { ...LIST_APPLICATIONS, verb: 'get' };
export const PATCH_APPLICATION: Right = { ...LIST_APPLICATIONS, verb: 'patch' };
export const DELETE_APPLICATION: Right = { ...LIST_APPLICATIONS, verb: 'delete' };
export const LIST_SCHEDULES: Right = {
  verb: 'list', group: SCHEDULED_SPARK_APPLICATIONS.group, resource: SCHEDULED_SPARK_APPLICATIONS.plural,
};
export const PATCH_SCHEDULE: Right = { ...LIST_SCHEDULES, verb: 'patch' };
export const FORWARD_PORT: Right = { verb: 'get', group: '', resource: 'pods', subresource: 'portforward' };
export const READ_LOG: Right = { verb: 'get', group: '', resource: 'pods', subresource: 'log' };

/**
 * Returns the text of a permission, such as `list sparkapplications.sparkoperator.k8s.io in
 * team-a`.
 */
export function rightText({ verb, group, resource, subresource, namespace, name }: Right): string {
  const what = `${resource}${subresource ? `/${subresource}` : ''}${group ? `.${group}` : ''}`;
  return `${verb} ${what}${name ? ` ${name}` : ''} in ${namespace ?? 'all namespaces'}`;
}
