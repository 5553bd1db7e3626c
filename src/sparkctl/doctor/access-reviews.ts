import { attributesOf, type CheckedPermission, type Permission } from './permissions';
import { read, type Reading } from './reading';
import type { KubeClient } from '../../kube/client';

/** Access review; only the fields that are read. */
interface AccessReview {
  readonly status?: { readonly allowed?: boolean };
}

/** Methods of the client that reviews need. */
export type AccessReviewClient = Pick<KubeClient, 'request'>;

const GROUP = { apiVersion: 'authorization.k8s.io/v1', path: '/apis/authorization.k8s.io/v1' };

/** Checks which permissions the user of the client has. */
export async function ownPermissions(
  client: AccessReviewClient, permissions: readonly Permission[], signal: AbortSignal,
): Promise<Reading<CheckedPermission[]>> {
  return ask(client, 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', {}, permissions, signal);
}

/**
 * Checks which permissions another user has. The user of the client needs a permission for this.
 */
export async function permissionsOfUser(
  client: AccessReviewClient, user: object, permissions: readonly Permission[], signal: AbortSignal,
): Promise<Reading<CheckedPermission[]>> {
  return ask(client, 'SubjectAccessReview', 'subjectaccessreviews', user, permissions, signal);
}

async function ask(
  client: AccessReviewClient, kind: string, plural: string, user: object, permissions: readonly Permission[], signal: AbortSignal,
): Promise<Reading<CheckedPermission[]>> {
  const answer = async (permission: Permission): Promise<CheckedPermission> => {
    const { status } = await client.request<AccessReview>({
      method: 'POST',
      path: `${GROUP.path}/${plural}`,
      body: { apiVersion: GROUP.apiVersion, kind, spec: { ...user, resourceAttributes: attributesOf(permission) } },
      call: { verb: 'create', resource: `${plural}.authorization.k8s.io` },
      signal,
    });
    return { permission, isAllowed: status?.allowed === true };
  };
  const [first, ...others] = permissions;
  if (!first) return { kind: 'found', value: [] };
  // If the first review is forbidden, all others are, too.
  const one = await read(answer(first));
  if (one.kind !== 'found') return one;
  const rest = await read(Promise.all(others.map(answer)));
  return rest.kind === 'found' ? { kind: 'found', value: [one.value, ...rest.value] } : rest;
}
