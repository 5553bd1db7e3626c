import { isUnknownKind } from './apply';
import { fieldConflicts } from '../conflicts';
import { titleOf } from '../output/title';
import { lackingPermission } from '../lacking-permission';
import { remedyFor } from '../../explain/remedy';
import { isConflict, type ApiError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

/** Object that the API server rejects. */
export interface Refused {
  readonly object: KubeObject;
  readonly refusal: ApiError;
}

/** Remedy for a missing permission. */
const ASK = 'ask for the permission, or for an installation by a user who has it';

/** Maximum number of fields that are named per object; the rest is counted. */
const MAX_FIELDS = 5;

/** Explains why nothing was installed, with the remedy. @param refused at least one object */
export function refusalText(refused: readonly Refused[]): string {
  const conflicts = refused.filter(({ refusal }) => isConflict(refusal));
  const without = refused.filter(isWithoutNamespace);
  const others = refused.filter((each) => !isConflict(each.refusal) && !isWithoutNamespace(each));
  return [
    ...(without.length === 0 ? [] : [missingNamespaces([...new Set(without.map(({ object }) => object.metadata.namespace!))])]),
    ...(others.length === 0 ? [] : [
      'the cluster rejects objects of the installation; nothing was changed:',
      ...others.map((each) => `  ${titleOf(each.object)}: ${reasonOf(each)}`),
    ]),
    ...(conflicts.length === 0 ? [] : [
      'other managers have set fields to other values; nothing was changed:',
      ...conflicts.map(({ object, refusal }) => `  ${titleOf(object)}: ${conflictsIn(refusal)}`),
      'Change them there, or take them over: add --force-conflicts',
    ]),
  ].join('\n');
}

function isWithoutNamespace({ object: { metadata }, refusal }: Refused): boolean {
  return refusal.status === 404 && metadata.namespace !== undefined && !isUnknownKind(refusal);
}

function missingNamespaces(names: readonly string[]): string {
  const [what, them, their] = names.length === 1
    ? ['is no namespace', 'it', 'it is a job namespace']
    : ['are no namespaces', 'them', 'they are job namespaces'];
  return `there ${what} ${names.join(', ')}; nothing was changed. Create ${them}, or add --create-job-namespaces if ${their}`;
}

/** Lists the conflicting fields with their managers. */
function conflictsIn(refusal: ApiError): string {
  const fields = fieldConflicts(refusal).map(({ field, manager }) => `${field} (${manager})`);
  if (fields.length === 0) return refusal.serverMessage;
  const more = fields.length - MAX_FIELDS;
  return `${fields.slice(0, MAX_FIELDS).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

function reasonOf({ object: { apiVersion, kind }, refusal }: Refused): string {
  const { status, serverMessage, reason } = refusal;
  const lacking = lackingPermission(refusal);
  if (isUnknownKind(refusal)) {
    return `the cluster does not know ${kind} (${apiVersion}); install its CRD first, or omit the option that needs it`;
  }
  if (status === 403 && serverMessage.includes('attempting to grant RBAC permissions')) {
    return 'you cannot grant permissions that you do not have: '
      + `installing needs cluster-admin, or the verbs escalate and bind. ${serverMessage}`;
  }
  if (lacking) return `${lacking.text}; ${ASK} (403 Forbidden for ${lacking.user})`;
  const remedy = status === 403 ? ASK : remedyFor(serverMessage);
  return `${serverMessage || reason}${remedy === undefined ? '' : `; ${remedy}`}`;
}
