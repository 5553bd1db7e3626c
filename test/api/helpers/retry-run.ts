import { isDeepStrictEqual } from 'node:util';
import type { ApiServer } from '../../helpers/api-server';
import { failed, isAlive, running, stateOf, succeeded, type DriverRecord, type Onlooker, type Sight } from './onlooker';
import type { ProxiedCall } from '../../helpers/fault-proxy';

/* An application with a retry: its first driver fails, its second one succeeds. */

/** Outcome of an application. */
export interface Outcome {
  readonly state: string | undefined;
  readonly submissionAttempts: number;
  readonly executionAttempts: number;
  /** How many there ever were. */
  readonly drivers: number;
  /** How many of them were alive beside an older one. */
  readonly besideAnother: number;
  /** Of how many submissions they were. */
  readonly submissions: number;
  /** The objects at the end, each with its attempt. */
  readonly left: readonly string[];
}

/** The expected outcome, whatever happens meanwhile. */
export const AS_IT_SHOULD: Outcome = {
  state: 'COMPLETED',
  submissionAttempts: 2,
  executionAttempts: 2,
  drivers: 2,
  besideAnother: 0,
  submissions: 2,
  left: ['ConfigMap of attempt 2', 'Pod of attempt 2', 'Service of attempt 2'],
};

/** @param interval seconds between the two attempts */
export function retryApplication(namespace: string, name: string, interval = 1) {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace },
    spec: {
      type: 'Python',
      sparkVersion: '4.1.1',
      image: 'example.org/spark:1',
      mainApplicationFile: 'local:///pi.py',
      restartPolicy: { type: 'OnFailure', onFailureRetries: 1, onFailureRetryInterval: interval },
      // Kubernetes' own would tell at any moment that there is no node.
      driver: { serviceAccount: 'spark', schedulerName: 'none' },
      executor: {},
    },
  };
}

/** The path of an application, or without a name of all in a namespace. */
export function pathOf(namespace: string, name?: string): string {
  return `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/sparkapplications${name === undefined ? '' : `/${name}`}`;
}

type Phase = 'Failed' | 'Running' | 'Succeeded';
const STATUS: Record<Phase, () => object> = { Failed: failed, Running: running, Succeeded: succeeded };

/** How the kubelet is played. */
export interface KubeletOptions {
  /** The phases of a driver, by how many there were before it. @default - the first fails, the others succeed */
  readonly phases?: (index: number) => readonly Phase[];
  /** Whether drivers continue at once. Otherwise they wait until the operator has seen their previous phase, so that each run makes the same calls. @default - they wait */
  readonly isHasty?: () => boolean;
}

/** Plays the kubelet for the drivers of an application: to be called whenever something has changed. */
export function kubelet(onlooker: Onlooker, { phases = (index) => index === 0 ? ['Failed'] : ['Running', 'Succeeded'], isHasty = () => false }: KubeletOptions = {}): (sight: Sight) => void {
  /** How many phases of a driver were written. */
  const written = new Map<string, number>();
  const write = (driver: DriverRecord, index: number, phase: Phase | undefined) => {
    if (phase === undefined || written.get(driver.uid) === index) return;
    written.set(driver.uid, index);
    void onlooker.setStatus(driver, STATUS[phase]());
  };
  return (sight) => {
    const { application } = sight;
    for (const [index, driver] of sight.drivers.entries()) {
      const { phase } = driver.pod.status;
      if (driver.gone || driver.pod.metadata.deletionTimestamp) continue;
      const isSeen = (state: string) => isHasty() || (stateOf(sight) === state && driver.submissionID === application.status.submissionID);
      if (phase === 'Pending' && isSeen('SUBMITTED')) write(driver, 1, phases(index)[0]);
      if (phase === 'Running' && isSeen('RUNNING')) write(driver, 2, phases(index)[1]);
    }
  };
}

/** Whether it has ended, well or not. */
export function isOver(sight: Sight): boolean {
  return ['COMPLETED', 'FAILED'].includes(stateOf(sight)!) && !sight.drivers.some(isAlive);
}

/** Returns the current outcome. */
export async function outcomeOf(api: ApiServer, onlooker: Onlooker, namespace: string, name: string): Promise<Outcome> {
  const { metadata: { uid }, status } = await api.must('GET', pathOf(namespace, name));
  const lists = await Promise.all(['pods', 'services', 'configmaps', 'persistentvolumeclaims'].map((plural) => api.must('GET', `/api/v1/namespaces/${namespace}/${plural}`)));
  const { drivers, overlaps } = onlooker.of(namespace, name);
  const submissions = [...new Set(drivers.map(({ submissionID }) => submissionID))];
  const left = lists.flatMap(({ kind, items }) => items
    .filter(({ metadata }: any) => metadata.ownerReferences?.some((owner: any) => owner.uid === uid))
    .map(({ metadata: { labels } }: any) => `${kind.replace(/List$/, '')} of attempt ${submissions.indexOf(labels['sparkoperator.k8s.io/submission-id']) + 1}`));
  return {
    state: status.applicationState.state,
    submissionAttempts: status.submissionAttempts,
    executionAttempts: status.executionAttempts,
    drivers: drivers.length,
    besideAnother: overlaps.length,
    submissions: submissions.length,
    left: left.sort(),
  };
}

/** Waits for the expected outcome, as the operator deletes some objects after the end. @returns the outcome, another one if that takes too long */
export async function settled(api: ApiServer, onlooker: Onlooker, namespace: string, name: string, expected = AS_IT_SHOULD): Promise<Outcome> {
  for (let tries = 0; ; tries++) {
    const outcome = await outcomeOf(api, onlooker, namespace, name);
    if (isDeepStrictEqual(outcome, expected) || tries === 600) return outcome;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns the kind of a call. Status writes differ by state, as not all happen in each run; creating and updating a Lease are the same. */
export function kindOf({ verb, resource, body }: ProxiedCall): string {
  if (resource === 'leases' && verb === 'create') return 'update leases';
  return `${verb} ${resource}${resource === 'sparkapplications/status' ? ` (${body.status?.applicationState?.state || 'new'})` : ''}`;
}
