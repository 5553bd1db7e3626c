import { isUnknownKind } from './apply';
import { titleOf } from './kinds';
import { remedyFor } from '../../explain/remedy';
import { isConflict, type ApiError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

/** An object that the API server does not take. */
export interface Refused {
  readonly object: KubeObject;
  readonly refusal: ApiError;
}

/** Fields that are named of one object; of more it is said how many. */
const MAX_FIELDS = 5;

/** Why nothing was installed, and what to do about it. @param refused at least one */
export function refusalText(refused: readonly Refused[]): string {
  const conflicts = refused.filter(({ refusal }) => isConflict(refusal));
  const others = refused.filter(({ refusal }) => !isConflict(refusal));
  return [
    ...(others.length === 0 ? [] : ['the cluster does not take what is to be installed; nothing was changed:', ...others.map((each) => `  ${titleOf(each.object)}: ${reasonOf(each)}`)]),
    ...(conflicts.length === 0 ? [] : [
      'somebody else manages fields that are to be another way; nothing was changed:',
      ...conflicts.map(({ object, refusal }) => `  ${titleOf(object)}: ${conflictsIn(refusal)}`),
      'Change them there, or take them over: add --force-conflicts',
    ]),
  ].join('\n');
}

/** Who manages which fields. */
function conflictsIn({ details, serverMessage }: ApiError): string {
  const fields = (details?.causes ?? []).filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field, message }) => `${field} (${/"([^"]+)"/.exec(message ?? '')?.[1] ?? message})`);
  if (fields.length === 0) return serverMessage;
  const more = fields.length - MAX_FIELDS;
  return `${fields.slice(0, MAX_FIELDS).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

function reasonOf({ object: { apiVersion, kind, metadata }, refusal }: Refused): string {
  const { status, serverMessage, reason } = refusal;
  if (isUnknownKind(refusal)) return `the cluster does not know ${kind} (${apiVersion}); install what brings it first, or leave out what asks for it`;
  if (status === 404 && metadata.namespace !== undefined) return `there is no namespace ${metadata.namespace}; create it, or add --create-job-namespaces if it is one of the job namespaces`;
  if (status === 403 && serverMessage.includes('attempting to grant RBAC permissions')) return `you may not grant rights that you do not have yourself: whoever installs needs cluster-admin, or the verbs escalate and bind. ${serverMessage}`;
  const remedy = status === 403 ? 'ask for the right, or let somebody install who has it' : remedyFor(serverMessage);
  return `${serverMessage || reason}${remedy === undefined ? '' : `; ${remedy}`}`;
}
