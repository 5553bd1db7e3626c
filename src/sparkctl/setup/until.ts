import { isAvailable, isEstablished, whyNotReady, type WaitingPod } from './available';
import { CUSTOM_RESOURCE_DEFINITIONS, DEPLOYMENTS } from './kinds';
import type { Deployment } from './objects';
import { waitFor, type Wait, type WaitClient } from './wait';
import { CommandError } from '../errors';
import type { KubeObject, Ref } from '../../kube/objects';
import { defineResource } from '../../kube/resource';

const WAITING_PODS = defineResource<WaitingPod>({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true });

/**
 * Waits until the API server serves a CRD.
 *
 * @param timeout milliseconds
 * @throws {CommandError} if it takes longer
 */
export async function untilEstablished(client: WaitClient, name: string, timeout: number, signal: AbortSignal): Promise<void> {
  const isDone = await within(client, { resource: CUSTOM_RESOURCE_DEFINITIONS, ref: { name }, isDone: isEstablished }, timeout, signal);
  if (!isDone) {
    throw new CommandError(
      `the API server does not serve the CRD ${name} after ${timeout / 1000} s; `
        + `its conditions show why: kubectl get crd ${name} -o jsonpath='{.status.conditions}'`,
    );
  }
}

/**
 * Waits until a Deployment is available.
 *
 * @param timeout milliseconds
 * @throws {CommandError} if it takes longer, with the reason from the pods
 */
export async function untilAvailable(client: WaitClient, ref: Ref, timeout: number, signal: AbortSignal): Promise<void> {
  if (await within(client, { resource: DEPLOYMENTS, ref, isDone: isAvailable }, timeout, signal)) return;
  const why = whyNotReady(await podsOf(client, ref, signal));
  throw new CommandError(
    `Deployment ${ref.namespace}/${ref.name} is not available after ${timeout / 1000} s${why === undefined ? '' : `: ${why}`}; `
      + `the installed objects stay; for details run: kubectl describe pods -n ${ref.namespace}`,
  );
}

/**
 * Waits until an object has been deleted.
 *
 * @param timeout milliseconds
 * @throws {CommandError} if it takes longer
 */
export async function untilGone(
  client: WaitClient, { resource, ref }: Pick<Wait<KubeObject>, 'resource' | 'ref'>, timeout: number, signal: AbortSignal,
): Promise<void> {
  if (await within(client, { resource, ref, isDone: (object) => object === undefined }, timeout, signal)) return;
  const where = ref.namespace === undefined ? '' : ` -n ${ref.namespace}`;
  throw new CommandError(
    `${resource.kind} ${ref.name} still exists after ${timeout / 1000} s; `
      + `for its finalizers run: kubectl get ${resource.plural} ${ref.name}${where} -o yaml`,
  );
}

/** Waits with a timeout. @returns whether the condition was met in time */
async function within<T extends KubeObject>(client: WaitClient, wait: Wait<T>, timeout: number, signal: AbortSignal): Promise<boolean> {
  const late = AbortSignal.timeout(timeout);
  try {
    await waitFor(client, wait, AbortSignal.any([signal, late]));
    return true;
  } catch (error) {
    if (late.aborted && !signal.aborted) return false;
    throw error;
  }
}

async function podsOf(client: WaitClient, ref: Ref, signal: AbortSignal): Promise<readonly WaitingPod[]> {
  const { spec: { selector: { matchLabels = {} } } }: Deployment = await client.get(DEPLOYMENTS, ref, { signal });
  const labelSelector = Object.entries(matchLabels).map(([name, value]) => `${name}=${value}`).join(',');
  return (await client.listPage(WAITING_PODS, { namespace: ref.namespace, labelSelector, signal })).items;
}
