import type { ApiError, Call } from '../kube/errors';

/** Permission that a user lacks. */
export interface LackingPermission {
  /** Statement such as `you cannot patch sparkapplications in etl`. */
  readonly text: string;
  /** The user, as the API server knows it. */
  readonly user: string;
  /** Command that checks the permission. */
  readonly check: string;
}

/** Refusal by an authorizer, such as RBAC; quotas and webhooks write other texts. */
const REFUSAL = /^(?:\S+(?: "[^"]*")? is forbidden: )?User "([^"]*)" cannot (\S+) resource /;

/**
 * Returns the permission that a failed call lacks; undefined if it failed for another reason.
 */
export function lackingPermission({ status, call, serverMessage }: ApiError): LackingPermission | undefined {
  // The server knows the verb: an apply that creates needs the permission to create.
  const [, user, verb] = (status === 403 && REFUSAL.exec(serverMessage)) || [];
  if (user === undefined || verb === undefined) return undefined;
  const { resource, namespace } = call;
  return { text: cannotText({ verb, resource, namespace }), user, check: canI({ ...call, verb }) };
}

/** Returns a statement such as `you cannot patch sparkapplications in etl`. */
export function cannotText({ verb, resource, namespace }: Pick<Call, 'verb' | 'resource' | 'namespace'>): string {
  return `you cannot ${verb} ${resource} ${namespace === undefined ? 'at the cluster scope' : `in ${namespace}`}`;
}

/** Whether an admission plugin, such as that of quotas, or a webhook refused a call. */
export function isRefusedByAdmission(error: ApiError): boolean {
  return error.status === 403 && / is forbidden: |denied the request/.test(error.serverMessage) && !lackingPermission(error);
}

/** Returns the command that checks the permission for a call. */
export function canI({ verb, resource, namespace }: Call): string {
  const [plural, subresource] = resource.split('/');
  const part = subresource === undefined ? '' : ` --subresource=${subresource}`;
  return `kubectl auth can-i ${verb} ${plural}${part}${namespace === undefined ? ' -A' : ` -n ${namespace}`}`;
}
