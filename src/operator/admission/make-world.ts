import { Recent } from './recent';
import type { AdmissionWorld } from './world';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { isNotFound } from '../../kube/errors';
import { keyOf, parseKey, type KubeObject } from '../../kube/objects';
import { defineResource } from '../../kube/resource';
import { SPARK_APPLICATIONS } from '../resources';
import { asKept, type SparkApplication } from '../spark-application/model';

export const RESOURCE_QUOTAS = defineResource<KubeObject>({ group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true });

/**
 * Milliseconds for which an application that was asked for is not asked for again. Spark creates its executors in batches, some a second. An application that
 * is edited and submitted again takes longer than that: its driver has to end first.
 */
const APPLICATION_AGE = 500;

/** An application may have 1.5 MiB. */
const APPLICATIONS_KEPT = 32;

/** Milliseconds for a call: the API server gives a webhook 5 or 8 s, and a webhook that waits for longer is one that fails. */
const CALL_TIMEOUT = 3_000;

/** A call that would have to wait for its turn for longer than that is refused at once: questions can be forged, and more of them than there are calls must not hold up all others. */
const CALL = { timeout: CALL_TIMEOUT, maxWait: CALL_TIMEOUT, attempts: 1 } as const;

/** What the world of a webhook is made of. */
export interface AdmissionWorldOptions extends Pick<AdmissionWorld, 'isSelected' | 'submission' | 'againstSparkSubmit' | 'defaults' | 'minScheduleInterval' | 'logger'> {
  readonly client: Pick<KubeClient, 'get' | 'list'>;
  readonly clock: Clock;
  /** An application that is known already, as it is now. Undefined: not known. @default - none is */
  readonly known?: (namespace: string, name: string) => SparkApplication | undefined;
  /** Whether ResourceQuotas are looked at, which takes the right to list them. */
  readonly quotas: boolean;
}

/** The world of a webhook of the real cluster. */
export function admissionWorld({ client, clock, known, quotas, ...rest }: AdmissionWorldOptions): AdmissionWorld {
  const applications = new Recent<SparkApplication | undefined>({ age: APPLICATION_AGE, size: APPLICATIONS_KEPT, clock }, async (key, signal) => {
    const { namespace, name } = parseKey(key);
    try {
      return asKept(await client.get(SPARK_APPLICATIONS, { namespace, name }, { ...CALL, signal }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  });
  // What is used changes with each pod: it is not kept.
  const quotasOf = new Recent<readonly KubeObject[]>({ age: 0, size: 0, clock }, async (namespace, signal) => {
    const found: KubeObject[] = [];
    for await (const quota of client.list(RESOURCE_QUOTAS, { namespace, ...CALL, signal })) found.push(quota);
    return found;
  });
  return {
    ...rest,
    async application(namespace, name, isMeant, signal) {
      const isThat = (application: SparkApplication | undefined) => application !== undefined && isMeant(application);
      const atHand = known?.(namespace, name);
      if (isThat(atHand)) return atHand;
      const asked = await applications.get(keyOf({ namespace, name }), signal, isThat);
      return isThat(asked) ? asked : undefined;
    },
    ...(quotas && { quotas: (namespace, signal) => quotasOf.get(namespace, signal) }),
  };
}
