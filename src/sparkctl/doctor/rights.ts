import { type Finding, findingsOf } from './finding';

/** A right to ask about; of a subresource, `resource` is `pods/log`. */
export interface Right {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  /** Only the object of this name. */
  readonly name?: string;
  /** undefined: in all namespaces, or of what has none. */
  readonly namespace?: string;
}

/** A line of a Role, as the constructs have it. */
export interface RoleRule {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly name?: string;
}

/** What came of the question whether somebody has a right. */
export interface Answered {
  readonly right: Right;
  readonly isAllowed: boolean;
}

/** The rights that rules give, one for each verb. */
export function rightsOf(rules: readonly RoleRule[], namespace?: string): Right[] {
  const scope = namespace === undefined ? {} : { namespace };
  return rules.flatMap(({ group, resource, verbs, name }) => verbs.map((verb) => ({ group, resource, verb, ...(name !== undefined && { name }), ...scope })));
}

/** How a right is asked about (`ResourceAttributes` of authorization.k8s.io/v1). */
export function attributesOf({ group, resource, verb, name, namespace }: Right): object {
  const [plural, subresource] = resource.split('/');
  return { group, resource: plural, verb, ...(subresource !== undefined && { subresource }), ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) };
}

/** A user, as a service account is one. */
export function userOf(namespace: string, account: string): { readonly user: string; readonly groups: readonly string[] } {
  return { user: `system:serviceaccount:${namespace}:${account}`, groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'] };
}

/**
 * Whether somebody has all rights.
 *
 * @param who as the subject of a sentence, such as `you`
 * @param where such as `in jobs`
 */
export function rightsFinding(
  { check, who, where, what, severity, remedy }: {
    readonly check: string;
    readonly who: string;
    readonly where: string;
    /** What the rights are for; the rest of a sentence that begins with `may`. */
    readonly what: string;
    readonly severity: 'warning' | 'error';
    readonly remedy: string;
  },
  answers: readonly Answered[],
): Finding {
  const findings = findingsOf(check);
  const missing = answers.filter(({ isAllowed }) => !isAllowed).map(({ right }) => right);
  if (missing.length === 0) return findings.ok(`${who} may ${what} ${where}`);
  return findings[severity](`${who} may not ${rightsText(missing)} ${where}`, remedy);
}

/** Resources that are named; of more it is said how many. */
const MAX_RESOURCES = 6;

/** Rights in words: `get and list pods; create configmaps`. */
export function rightsText(rights: readonly Right[]): string {
  const verbs = new Map<string, string[]>();
  for (const right of rights) verbs.set(titleOf(right), [...verbs.get(titleOf(right)) ?? [], right.verb]);
  const texts = [...verbs].map(([resource, each]) => `${each.join(', ')} ${resource}`);
  const more = texts.length - MAX_RESOURCES;
  return `${texts.slice(0, MAX_RESOURCES).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** A resource as `kubectl auth can-i` takes it. */
function titleOf({ group, resource, name }: Right): string {
  const [plural, subresource] = resource.split('/');
  return `${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}${name === undefined ? '' : ` ${name}`}`;
}
