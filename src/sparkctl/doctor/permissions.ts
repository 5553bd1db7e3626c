import { type Finding, findingsOf } from './finding';

/** Permission to check; the `resource` of a subresource is such as `pods/log`. */
export interface Permission {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  /** Only the object of this name. */
  readonly name?: string;
  /** Namespace; undefined for all namespaces and for cluster-scoped resources. */
  readonly namespace?: string;
}

/** Rule of a Role, as the constructs define it. */
export interface RoleRule {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly name?: string;
}

/** Result of a permission check. */
export interface CheckedPermission {
  readonly permission: Permission;
  readonly isAllowed: boolean;
}

/** Returns the permissions that rules grant, one for each verb. */
export function permissionsOf(rules: readonly RoleRule[], namespace?: string): Permission[] {
  const scope = namespace === undefined ? {} : { namespace };
  return rules.flatMap(({ group, resource, verbs, name }) => verbs.map((verb) => ({
    group, resource, verb, ...(name !== undefined && { name }), ...scope,
  })));
}

/** Converts a permission to `ResourceAttributes` of authorization.k8s.io/v1. */
export function attributesOf({ group, resource, verb, name, namespace }: Permission): object {
  const [plural, subresource] = resource.split('/');
  return {
    group, resource: plural, verb, ...(subresource !== undefined && { subresource }), ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
  };
}

/** Returns the user name and groups of a service account. */
export function userOf(namespace: string, account: string): { readonly user: string; readonly groups: readonly string[] } {
  return {
    user: `system:serviceaccount:${namespace}:${account}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

/**
 * Returns the finding whether a user has all permissions.
 *
 * @param who as the subject of a sentence, such as `you`
 * @param where such as `in jobs`
 */
export function permissionsFinding(
  { check, who, where, what, severity, remedy }: {
    readonly check: string;
    readonly who: string;
    readonly where: string;
    /** Purpose of the permissions; continues a sentence after `can`. */
    readonly what: string;
    readonly severity: 'warning' | 'error';
    readonly remedy: string;
  },
  answers: readonly CheckedPermission[],
): Finding {
  const findings = findingsOf(check);
  const missing = answers.filter(({ isAllowed }) => !isAllowed).map(({ permission }) => permission);
  if (missing.length === 0) return findings.ok(`${who} can ${what} ${where}`);
  return findings[severity](`${who} cannot ${permissionsText(missing)} ${where}`, remedy);
}

/** Maximum number of resources that are named; the rest is counted. */
const MAX_RESOURCES = 6;

/** Lists permissions in words: `get, list pods; create configmaps`. */
export function permissionsText(permissions: readonly Permission[]): string {
  const verbs = new Map<string, string[]>();
  for (const permission of permissions) verbs.set(titleOf(permission), [...verbs.get(titleOf(permission)) ?? [], permission.verb]);
  const texts = [...verbs].map(([resource, each]) => `${each.join(', ')} ${resource}`);
  const more = texts.length - MAX_RESOURCES;
  return `${texts.slice(0, MAX_RESOURCES).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Returns a resource as `kubectl auth can-i` accepts it. */
function titleOf({ group, resource, name }: Permission): string {
  const [plural, subresource] = resource.split('/');
  const kind = `${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
  return name === undefined ? kind : `${kind} ${name}`;
}
