import { LABEL_APP_NAME, LABEL_CONNECT_NAME } from '../../api/labels';
import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import { attemptRecords } from '../../model/attempts';
import { PODS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';
import { serverPodName, type WholeConnect } from '../../model/spark-connect';
import { driverPodName } from '../../plan/identity';
import { resourceNamePrefix } from '../../plan/names';
import type { Target } from '../target';
import type { Involved } from './events';

/** Hash in the names of executors, such as `pi-7f0c1ddc45a9e0b3-exec-1`. */
const HASH = '0'.repeat(16);

/**
 * Returns an object and its Pods, whose events belong together. Deleted Pods are known by the
 * status of an application and by Spark's names.
 *
 * @param object @default - it was deleted
 */
export async function relatedObjects(
  client: KubeClient, { kind, resource, ref: { name, namespace } }: Target, object: KubeObject | undefined, signal?: AbortSignal,
): Promise<Involved[]> {
  const objects: Involved[] = [{ kind: resource.kind, name }];
  if (kind === 'schedule') return objects;
  objects.push(...kind === 'application' ? podsOf(name, object as WholeApplication | undefined) : podsOfConnect(name));
  try {
    const labelSelector = `${kind === 'connect' ? LABEL_CONNECT_NAME : LABEL_APP_NAME}=${name}`;
    for await (const { metadata } of client.list(PODS, { namespace, labelSelector, signal })) {
      objects.push({ kind: PODS.kind, name: metadata.name });
    }
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  return objects;
}

/** Returns the Pods that an application has, or had in any of its attempts. */
function podsOf(name: string, application: WholeApplication | undefined): Involved[] {
  const { driverInfo, executorState = {} } = application?.status ?? {};
  const records = application ? attemptRecords(application) : [];
  const names = [
    application ? driverPodName(application) : `${name}-driver`, driverInfo?.podName, ...records.map(({ driverPodName: driver }) => driver),
    ...Object.keys(executorState),
  ];
  return [...names.filter((each) => each !== undefined), executorsOf(name)].map((each) => ({ kind: PODS.kind, name: each }));
}

/** Returns the Pods that a Spark Connect server can have had. */
function podsOfConnect(name: string): Involved[] {
  return [serverPodName({ metadata: { name } } as WholeConnect), executorsOf(name)].map((each) => ({ kind: PODS.kind, name: each }));
}

/** Returns the names of executors of any attempt. */
function executorsOf(name: string): RegExp {
  const prefix = resourceNamePrefix(name, HASH).slice(0, -HASH.length);
  return new RegExp(`^${prefix}[0-9a-f]{${HASH.length}}-exec-\\d+$`);
}
