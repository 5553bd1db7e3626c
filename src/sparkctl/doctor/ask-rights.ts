import { attributesOf, type Answered, type Right } from './rights';
import { read, type Reading } from './look';
import type { KubeClient } from '../../kube/client';

/** A review of access; only what is read. */
interface AccessReview {
  readonly status?: { readonly allowed?: boolean };
}

/** What asking needs of the client. */
export type RightsClient = Pick<KubeClient, 'request'>;

const GROUP = { apiVersion: 'authorization.k8s.io/v1', path: '/apis/authorization.k8s.io/v1' };

/** Asks whether the user of the client has rights. */
export async function ownRights(client: RightsClient, rights: readonly Right[], signal: AbortSignal): Promise<Reading<Answered[]>> {
  return ask(client, 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', {}, rights, signal);
}

/** Asks whether somebody else has rights, which not everybody may. */
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
  // Who may not ask is not to be refused a hundred times.
  const one = await read(answer(first));
  if (one.kind !== 'found') return one;
  const rest = await read(Promise.all(others.map(answer)));
  return rest.kind === 'found' ? { kind: 'found', value: [one.value, ...rest.value] } : rest;
}
