import { viewOf, type PodView } from '../../../../src/model/pod-view';
import type { KubeClient } from '../../../../src/kube/client';
import { silentLogger } from '../../../../src/kube/logger';
import { Store } from '../../../../src/kube/store';
import type { SparkApplication } from '../../../../src/model/spark-application';
import { applicationKeyOf, BY_APPLICATION } from '../../../../src/operator/kinds/spark-application/observe';
import { transform } from '../../../../src/operator/kinds/spark-application/transform';
import { SparkApplicationReconciler, type ReconcilerOptions } from '../../../../src/operator/kinds/spark-application/reconciler';
import { operatorLabels } from '../../../../src/plan/properties/labels';
import { OPERATOR_CLIENT } from '../../../../src/model/installation';
import { ManualClock } from '../../../kube/helpers/manual-clock';
import { Calls } from './helpers';

/** Application of most tests. */
export const KEY = 'jobs/pi';

/** Optional dependencies of an operator. */
interface Parts extends Partial<Pick<ReconcilerOptions, 'defaults' | 'owned' | 'submission' | 'onTransition'>> {
  readonly clock?: ManualClock;
}

/** Starts an operator that knows what the API server holds, except Pods, and remembers nothing. */
export function operator(calls: Calls, { clock = new ManualClock(Date.parse('2026-03-01T10:00:00Z')), ...parts }: Parts = {}) {
  const applications = new Store<SparkApplication>();
  const pods = new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf } });
  const events: string[] = [];
  let ids = 0;
  const reconciler = new SparkApplicationReconciler({
    client: calls as unknown as KubeClient, applications, pods, clock,
    events: { record: (_, { reason }) => void events.push(reason) },
    newId: () => `00000000-0000-4000-8000-00000000000${++ids}`,
    settings: { driverStartTimeout: 300_000, sparkSubmitTimeout: 300_000, maxTrackedExecutors: 10, defaultTimeToLive: 0 },
    submission: { mode: 'auto', sparkUser: 'spark' },
    writer: OPERATOR_CLIENT,
    ...parts,
  });
  const seen = new WeakSet<object>();
  const see = () => {
    for (const [key, object] of calls.objects) {
      // As an informer does: each version of an object arrives once.
      if (!key.startsWith('sparkapplications ') || seen.has(object)) continue;
      seen.add(object);
      applications.upsert(transform(object));
    }
  };
  see();
  return { events, clock, see, pods, applications, reconcile: (key = KEY) => reconciler.reconcile(key, { logger: silentLogger }) };
}

/** Stores an application that can be submitted. */
export function putApplication(
  calls: Calls,
  { name = 'pi', namespace = 'jobs', uid = 'app', spec = {}, status }: { name?: string; namespace?: string; uid?: string; spec?: object; status?: object } = {},
): void {
  calls.put(`sparkapplications ${namespace}/${name}`, {
    metadata: { name, namespace, uid, generation: 1, creationTimestamp: '2026-03-01T10:00:00Z' },
    spec: { type: 'Python', sparkVersion: '4.1.1', image: 'i', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {}, ...spec },
    ...status && { status },
  });
}

/** Returns a server that holds an application. */
export function server(spec: object = {}): Calls {
  const calls = new Calls();
  putApplication(calls, { spec });
  return calls;
}

/** Returns the application's status, as the server has it. */
export const statusIn = (calls: Calls) => calls.objects.get(`sparkapplications ${KEY}`).status;

/** Settings of an operator that runs spark-submit for all applications. */
export const BY_SPARK_SUBMIT: ReconcilerOptions['submission'] = { mode: 'spark-submit', sparkUser: 'spark' };

/** Returns the Pod that runs spark-submit for an application, as the server has it. */
export function submitterIn(calls: Calls, application = 'pi') {
  return [...calls.objects.values()].find(({ metadata: { labels } }) => (
    labels?.['spark-role'] === 'submitter' && labels['sparkoperator.k8s.io/app-name'] === application
  ));
}

/**
 * Ends spark-submit, as the kubelet reports it.
 *
 * @returns the Pod
 */
export function endSparkSubmit(calls: Calls, pods: Store<PodView>, { exitCode = 0, message, application = 'pi', ...status }: {
  readonly exitCode?: number; readonly message?: string; readonly application?: string; readonly phase?: string; readonly reason?: string;
} = {}) {
  const pod = submitterIn(calls, application);
  const terminated = { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', message };
  const ended = calls.put(`pods jobs/${pod.metadata.name}`, {
    ...pod,
    status: {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed', startTime: '2026-03-01T10:00:00Z', ...status,
      ...(status.reason === undefined && { containerStatuses: [{ name: 'spark-submit', state: { terminated } }] }),
    },
  });
  pods.upsert(viewOf(ended));
  return ended;
}

/** Returns a driver as spark-submit creates it, with the ConfigMap of this name in its volume. */
export function driverOf(calls: Calls, configMap: string, metadata: object = {}) {
  return {
    metadata: {
      name: 'pi-driver',
      namespace: 'jobs',
      uid: 'pod',
      labels: operatorLabels({ name: 'pi', uid: 'app', attempt: 1, submissionID: statusIn(calls).submissionID }),
      ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'app', controller: true }],
      ...metadata,
    },
    spec: { containers: [], volumes: [{ name: 'spark-conf-volume-driver', configMap: { name: configMap } }] },
    status: { phase: 'Pending' },
  };
}

/** Returns a driver as kubeflow's operator creates it. */
export function theirDriver(metadata: object = {}) {
  return {
    metadata: {
      name: 'pi-driver', namespace: 'jobs', uid: 'pod', labels: {
        'sparkoperator.k8s.io/app-name': 'pi',
        'sparkoperator.k8s.io/submission-id': 'theirs',
        'sparkoperator.k8s.io/launched-by-spark-operator': 'true',
        'spark-role': 'driver', 'spark-app-selector': 'spark-theirs',
      },
      ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'app', controller: true }],
      ...metadata,
    },
    spec: { containers: [] },
    status: { phase: 'Running' },
  };
}
