import { LABEL_APP_NAME, LABEL_CONNECT_NAME } from '../../api/labels';
import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { PODS } from '../../operator/resources';
import type { Target } from '../target';

/** The names of an object and of its Pods, whose events belong to it. Who may not look at Pods gets the object's own. */
export async function relatedNames(client: KubeClient, { kind, ref: { name, namespace } }: Target, signal?: AbortSignal): Promise<string[]> {
  const names = [name];
  if (kind === 'schedule') return names;
  try {
    const labelSelector = `${kind === 'connect' ? LABEL_CONNECT_NAME : LABEL_APP_NAME}=${name}`;
    for await (const { metadata } of client.list(PODS, { namespace, labelSelector, signal })) names.push(metadata.name);
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  return names;
}
