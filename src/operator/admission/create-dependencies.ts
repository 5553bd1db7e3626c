import { jsonWeight } from '../../kube/json-weight';
import type { AdmissionDependencies } from './dependencies';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { isNotFound } from '../../kube/errors';
import { keyOf, type KubeObject } from '../../kube/objects';
import { defineResource } from '../../kube/resource';
import { SingleFlightCache } from '../../kube/single-flight-cache';
import { SPARK_APPLICATIONS } from '../../model/resources';
import { boundedMetadata } from '../../model/bounded-metadata';
import { isWhole, type SparkApplication, type WholeApplication } from '../../model/spark-application';

export const RESOURCE_QUOTAS = defineResource<KubeObject>({
  group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true,
});

/**
 * Milliseconds for which an application is cached. Spark creates its executors in batches, several
 * a second. Editing and resubmitting an application takes longer than that, because its driver has
 * to end first.
 */
const APPLICATION_AGE = 500;

/**
 * Maximum weight of the cached applications, in bytes by `jsonWeight`: some hundred usual ones, or
 * three of the largest size that etcd accepts.
 */
const MAX_APPLICATION_BYTES = 16 * 1024 * 1024;

/**
 * Milliseconds for a call. The API server gives a webhook 5 or 8 s, and a slower webhook has
 * failed.
 */
const CALL_TIMEOUT = 3_000;

/**
 * Options of a call. It fails at once if it would wait in the queue for longer than its timeout.
 * Reviews can be forged, and a flood of them must not delay all others.
 */
const CALL = { timeout: CALL_TIMEOUT, maxWait: CALL_TIMEOUT, attempts: 1 } as const;

/** Options of the webhook's dependencies. */
export interface AdmissionDependenciesOptions extends Pick<
  AdmissionDependencies, 'isSelected' | 'submission' | 'defaults' | 'minScheduleInterval' | 'logger'
> {
  readonly client: Pick<KubeClient, 'get' | 'list'>;
  readonly clock: Clock;
  /** Returns a cached application; undefined if it is not known. @default - none is known */
  readonly known?: (namespace: string, name: string) => SparkApplication | undefined;
  /** Whether to compare with ResourceQuotas, which takes the permission to list them. */
  readonly quotas: boolean;
}

/** Returns the dependencies of a webhook in the real cluster. */
export function admissionDependencies({ client, clock, known, quotas, ...rest }: AdmissionDependenciesOptions): AdmissionDependencies {
  const applications = new SingleFlightCache<WholeApplication | undefined>({
    age: APPLICATION_AGE, limit: MAX_APPLICATION_BYTES, weigh: jsonWeight, clock,
  });
  // Each pod changes their usage, so they are not cached.
  const quotasOf = new SingleFlightCache<readonly KubeObject[]>({ age: 0, limit: 0, clock });
  return {
    ...rest,
    async application(namespace, name, isMeant, signal) {
      const isThat = (application: SparkApplication | undefined) => application !== undefined && isMeant(application);
      const atHand = known?.(namespace, name);
      if (atHand && isWhole(atHand) && isThat(atHand)) return atHand;
      const found = await applications.get(
        keyOf({ namespace, name }), (shared) => getApplication(client, namespace, name, shared), signal, isThat,
      );
      return isThat(found) ? found : undefined;
    },
    ...(quotas && { quotas: (namespace, signal) => quotasOf.get(namespace, (shared) => listQuotas(client, namespace, shared), signal) }),
  };
}

async function getApplication(
  client: Pick<KubeClient, 'get'>, namespace: string, name: string, signal: AbortSignal,
): Promise<WholeApplication | undefined> {
  try {
    const application = await client.get(SPARK_APPLICATIONS, { namespace, name }, { ...CALL, signal });
    return { ...application, metadata: boundedMetadata(application.metadata) };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function listQuotas(client: Pick<KubeClient, 'list'>, namespace: string, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  for await (const quota of client.list(RESOURCE_QUOTAS, { namespace, ...CALL, signal })) found.push(quota);
  return found;
}
