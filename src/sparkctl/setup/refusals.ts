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
  const others = refused.filter(({ refusal }) => !isConflict(refusal));
  return [
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

/** Lists the conflicting fields with their managers. */
function conflictsIn(refusal: ApiError): string {
  const fields = fieldConflicts(refusal).map(({ field, manager }) => `${field} (${manager})`);
  if (fields.length === 0) return refusal.serverMessage;
  const more = fields.length - MAX_FIELDS;
  return `${fields.slice(0, MAX_FIELDS).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

function reasonOf({ object: { apiVersion, kind, metadata }, refusal }: Refused): string {
  const { status, serverMessage, reason } = refusal;
  const lacking = lackingPermission(refusal);
  if (isUnknownKind(refusal)) {
    return `the cluster does not know ${kind} (${apiVersion}); install its CRD first, or omit the option that needs it`;
  }
  if (status === 404 && metadata.namespace !== undefined) {
    return `there is no namespace ${metadata.namespace}; create it, or add --create-job-namespaces if it is one of the job namespaces`;
  }
  if (status === 403 && serverMessage.includes('attempting to grant RBAC permissions')) {
    return 'you cannot grant permissions that you do not have: '
      + `installing needs cluster-admin, or the verbs escalate and bind. ${serverMessage}`;
  }
  if (lacking) return `${lacking.text}; ${ASK} (403 Forbidden for ${lacking.user})`;
  const remedy = status === 403 ? ASK : remedyFor(serverMessage);
  return `${serverMessage || reason}${remedy === undefined ? '' : `; ${remedy}`}`;
}
