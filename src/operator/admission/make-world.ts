import { Recent } from './recent';
import type { AdmissionWorld } from './world';
import type { KubeClient } from '../kube/client';
import type { Clock } from '../kube/clock';
import { isNotFound } from '../kube/errors';
import { keyOf, parseKey, type KubeObject } from '../kube/objects';
import { defineResource } from '../kube/resource';
import { SPARK_APPLICATIONS } from '../resources';
import { withoutManagedFields, type SparkApplication } from '../spark-application/model';

export const RESOURCE_QUOTAS = defineResource<KubeObject>({ group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true });

/**
 * Milliseconds for which an application that was asked for is not asked for again. Spark creates its executors in batches, some a second. An application that
 * is edited and submitted again takes longer than that: its driver has to end first.
 */
const APPLICATION_AGE = 500;

/**
 * Milliseconds for which an application that there is not is not asked for again: reviews of pods can be forged, and each would be a call. The operator makes a
 * driver some time after its application was created.
 */
const ABSENCE_AGE = 250;

/** An application may have 1.5 MiB. */
const APPLICATIONS_KEPT = 32;

/** Milliseconds for a call: the API server gives a webhook 5 or 8 s, and a webhook that waits for longer is one that fails. */
const CALL_TIMEOUT = 3_000;

/** What the world of a webhook is made of. */
export interface AdmissionWorldOptions extends Pick<AdmissionWorld, 'isSelected' | 'submission' | 'againstSparkSubmit' | 'defaults' | 'logger'> {
  readonly client: Pick<KubeClient, 'get' | 'list'>;
  readonly clock: Clock;
  /** An application that is known already, as it is now. Undefined: not known. @default - none is */
  readonly known?: (namespace: string, name: string) => SparkApplication | undefined;
  /** Whether ResourceQuotas are looked at, which takes the right to list them. */
  readonly quotas: boolean;
}

/** The world of a webhook of the real cluster. */
export function admissionWorld({ client, clock, known, quotas, ...rest }: AdmissionWorldOptions): AdmissionWorld {
  const liveApplication: AdmissionWorld['application'] = async (namespace, name, signal) => {
    try {
      return withoutManagedFields(await client.get(SPARK_APPLICATIONS, { namespace, name }, { timeout: CALL_TIMEOUT, attempts: 1, signal }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  const applications = new Recent<SparkApplication | undefined>({ age: APPLICATION_AGE, ageOfNothing: ABSENCE_AGE, size: APPLICATIONS_KEPT, clock }, (key) => {
    const { namespace, name } = parseKey(key);
    return liveApplication(namespace!, name);
  });
  // What is used changes with each pod: it is not kept.
  const quotasOf = new Recent<readonly KubeObject[]>({ age: 0, size: APPLICATIONS_KEPT, clock }, async (namespace) => {
    const found: KubeObject[] = [];
    for await (const quota of client.list(RESOURCE_QUOTAS, { namespace, timeout: CALL_TIMEOUT, attempts: 1 })) found.push(quota);
    return found;
  });
  return {
    ...rest,
    application: async (namespace, name, signal) => known?.(namespace, name) ?? applications.get(keyOf({ namespace, name }), signal),
    liveApplication,
    ...(quotas && { quotas: (namespace, signal) => quotasOf.get(namespace, signal) }),
  };
}
