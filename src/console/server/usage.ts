import { readApplication, type ApplicationRef } from './detail';
import { quantityOf } from './quantity';
import type { Right, Viewer } from './viewer';
import { LABEL_APP_NAME } from '../../api/labels';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { isForbidden, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import { defineResource } from '../../kube/resource';
import { SingleFlightCache } from '../../kube/single-flight-cache';
import type { ApplicationUsage, PodUsage } from '../wire';

/** Pod of the metrics API, which metrics-server or an adapter serves. */
interface PodMetrics extends KubeObject {
  readonly containers?: readonly { readonly usage?: { readonly cpu?: string; readonly memory?: string } }[];
}

const POD_METRICS = defineResource<PodMetrics>({
  group: 'metrics.k8s.io', version: 'v1beta1', kind: 'PodMetrics', plural: 'pods', namespaced: true,
});

export const LIST_METRICS: Right = { verb: 'list', group: POD_METRICS.group, resource: POD_METRICS.plural };

/** Milliseconds for which an answer is used; metrics-server itself measures every 15 s. */
export const USAGE_AGE = 15_000;

/** Maximum number of pods in an answer, as in the details. */
const MAX_PODS = 2_000;

/** Maximum number of pods in all cached answers. */
const MAX_CACHED_PODS = 20_000;

/** Reads what the pods of applications use, at most one list of an application every 15 s. */
export class UsageReader {
  private readonly cache: SingleFlightCache<ApplicationUsage>;

  constructor(private readonly client: KubeClient, clock: Clock) {
    this.cache = new SingleFlightCache({ age: USAGE_AGE, limit: MAX_CACHED_PODS, weigh: ({ pods = [] }) => 1 + pods.length, clock });
  }

  /**
   * Returns the usage by pods; nothing without the metrics API, or without the viewer's permission
   * to read it.
   *
   * @param signal ends the wait
   * @throws {HttpError} 403 or 404 for the application
   */
  async read(viewer: Viewer, ref: ApplicationRef, signal: AbortSignal): Promise<ApplicationUsage> {
    await readApplication(this.client, viewer, ref, signal);
    if (!await viewer.may({ ...LIST_METRICS, namespace: ref.namespace })) return {};
    return this.cache.get(`${ref.namespace}/${ref.name}`, (shared) => this.list(ref, shared), signal);
  }

  private async list({ namespace, name }: ApplicationRef, signal: AbortSignal): Promise<ApplicationUsage> {
    try {
      const options = { namespace, labelSelector: `${LABEL_APP_NAME}=${name}`, limit: MAX_PODS, signal };
      const { items } = await this.client.listPage(POD_METRICS, options);
      return { pods: items.slice(0, MAX_PODS).map(usageOf) };
    } catch (error) {
      // The server answers 503 while the one behind the metrics API is missing.
      if (isNotFound(error) || isForbidden(error) || isUnavailable(error)) return {};
      throw error;
    }
  }
}

function usageOf({ metadata: { name }, containers = [] }: PodMetrics): PodUsage {
  const sum = (resource: 'cpu' | 'memory') => containers.reduce((total, { usage }) => total + (quantityOf(usage?.[resource]) ?? 0), 0);
  return { name, cpu: sum('cpu'), memory: sum('memory') };
}

function isUnavailable(error: unknown): boolean {
  return (error as { readonly status?: unknown }).status === 503;
}
