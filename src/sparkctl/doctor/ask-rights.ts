import { attributesOf, type Answered, type Right } from './rights';
import { read, type Reading } from './look';
import type { KubeClient } from '../../kube/client';

/** Access review; only the fields that are read. */
interface AccessReview {
  readonly status?: { readonly allowed?: boolean };
}

/** Methods of the client that reviews need. */
export type RightsClient = Pick<KubeClient, 'request'>;

const GROUP = { apiVersion: 'authorization.k8s.io/v1', path: '/apis/authorization.k8s.io/v1' };

/** Checks which permissions the user of the client has. */
export async function ownRights(client: RightsClient, rights: readonly Right[], signal: AbortSignal): Promise<Reading<Answered[]>> {
  return ask(client, 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', {}, rights, signal);
}

/**
 * Checks which permissions another user has. The user of the client needs a permission for this.
 */
export async function rightsOfOther(client: RightsClient, user: object, rights: readonly Right[], signal: AbortSignal): Promise<Reading<Answered[]>> {
  return ask(client, 'SubjectAccessReview', 'subjectaccessreviews', user, rights, signal);
}

async function ask(client: RightsClient, kind: string, plural: string, user: object, rights: readonly Right[], signal: AbortSignal): Promise<Reading<Answered[]>> {
  const answer = async (right: Right): Promise<Answered> => {
    const { status } = await client.request<AccessReview>({
      method: 'POST',
      path: `${GROUP.path}/${plural}`,
      body: { apiVersion: GROUP.apiVersion, kind, spec: { ...user, resourceAttributes: attributesOf(right) } },
      call: { verb: 'create', resource: `${plural}.authorization.k8s.io` },
      signal,
    });
    return { right, isAllowed: status?.allowed === true };
  };
  const [first, ...others] = rights;
  if (!first) return { kind: 'found', value: [] };
  // If the first review is forbidden, all others are, too.
  const one = await read(answer(first));
  if (one.kind !== 'found') return one;
  const rest = await read(Promise.all(others.map(answer)));
  return rest.kind === 'found' ? { kind: 'found', value: [one.value, ...rest.value] } : rest;
}
