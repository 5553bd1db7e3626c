/*
 * Orphaned drivers: a previous process's calls can reach the API server long after that process
 * gave them up.
 */
import { viewOf, type PodView } from '../../../../src/model/pod-view';
import type { KubeClient } from '../../../../src/kube/client';
import { silentLogger } from '../../../../src/kube/logger';
import { Store } from '../../../../src/kube/store';
import type { SparkApplication, WholeApplication } from '../../../../src/model/spark-application';
import { applicationKeyOf, BY_APPLICATION } from '../../../../src/operator/kinds/spark-application/observe';
import { perform } from '../../../../src/operator/kinds/spark-application/perform';
import type { Performer } from '../../../../src/operator/kinds/spark-application/performer';
import { SparkApplicationReconciler } from '../../../../src/operator/kinds/spark-application/reconciler';
import { specHash } from '../../../../src/operator/kinds/spark-application/spec-change';
import { operatorLabels } from '../../../../src/plan/properties/labels';
import { ManualClock } from '../../../kube/helpers/manual-clock';
import { Calls } from './helpers';

const KEY = 'jobs/pi';
const SPEC = { type: 'Python', sparkVersion: '4.1.1', image: 'i', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {} };

/** Returns an application in this state, with the submission `current`, and a driver's Pod. */
function cluster(state: string, { submissionID = 'current', name = 'pi-driver', phase = 'Running', suspend = false, labels = {} }: {
  submissionID?: string; name?: string; phase?: string; suspend?: boolean; labels?: Record<string, string | undefined>;
}) {
  const calls = new Calls();
  const pods = new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf } });
  const applications = new Store<SparkApplication>();
  const status = {
    ...(state !== 'SUSPENDED' && { submissionID: 'current', specHash: specHash(SPEC as unknown as WholeApplication['spec']) }),
    driverInfo: state === 'SUSPENDED' ? {} : { podName: 'pi-driver' }, applicationState: { state }, terminationTime: '2026-03-01T10:00:00Z',
  };
  const application: SparkApplication = calls.put(`sparkapplications ${KEY}`, {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'app', generation: 1 }, spec: { ...SPEC, suspend }, status,
  });
  applications.upsert(application);
  const pod = {
    metadata: {
      name,
      namespace: 'jobs',
      uid: 'pod',
      labels: { ...operatorLabels({ name: 'pi', uid: 'app', attempt: 1, submissionID }), 'spark-role': 'driver', ...labels },
      ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'app', controller: true }],
    },
    spec: { containers: [], volumes: [{ name: 'spark-conf-volume-driver', configMap: { name: 'gone' } }] },
    status: { phase },
  };
  pods.upsert(viewOf(calls.put(`pods jobs/${name}`, pod)));
  const reconciler = new SparkApplicationReconciler({
    client: calls as unknown as KubeClient,
    applications,
    pods,
    clock: new ManualClock(Date.parse('2026-03-01T10:01:00Z')),
    events: { record: () => undefined },
    newId: () => 'next',
    settings: { driverStartTimeout: 300_000, sparkSubmitTimeout: 300_000, maxTrackedExecutors: 10, defaultTimeToLive: 0 },
    writer: 'this-operator',
    submission: { mode: 'auto', sparkUser: 'spark' },
  });
  const end = () => calls.put(`pods jobs/${name}`, { ...pod, status: { phase: 'Failed' } });
  return {
    calls,
    application,
    pod,
    end,
    reconcile: () => reconciler.reconcile(KEY, { logger: silentLogger }),
    exists: () => calls.objects.has(`pods jobs/${name}`),
  };
}

test.each<[string, string, Parameters<typeof cluster>[1]]>([
  ['of an earlier submission, under another name', 'RUNNING', { submissionID: 'earlier', name: 'other-driver' }],
  ['of a suspended application', 'SUSPENDED', { submissionID: 'earlier', suspend: true }],
  ['of a failed application', 'FAILED', {}],
  ['of an earlier submission of a completed application', 'COMPLETED', { submissionID: 'earlier' }],
])('a driver %s is deleted', async (_, state, pod) => {
  const { reconcile, exists } = cluster(state, pod);
  await reconcile();
  expect(exists()).toBe(false);
});

test.each<[string, string, Parameters<typeof cluster>[1]]>([
  ['of the current submission', 'RUNNING', {}],
  ['that has ended with its application', 'FAILED', { phase: 'Failed' }],
  ['that another operator has created', 'FAILED', { labels: { 'sparkoperator.k8s.io/app-uid': undefined } }],
])('a driver %s stays', async (_, state, pod) => {
  const { reconcile, exists } = cluster(state, pod);
  await reconcile();
  expect(exists()).toBe(true);
});

test('a driver that has ended, which a stale cache does not show, keeps its log', async () => {
  const { reconcile, end, exists } = cluster('FAILED', {});
  end();
  await reconcile();
  expect(exists()).toBe(true);
});

// Another operator may be at work on the application by now.
test.each(
  ['delete-driver', 'confirm-driver'] as const,
)('a driver stays when its application has changed since it was read: %s', async (kind) => {
  const { calls, application, pod, exists } = cluster(
    '', { submissionID: kind === 'delete-driver' ? 'newer' : 'current', phase: 'Pending' },
  );
  calls.put(`sparkapplications ${KEY}`, { ...application, status: { ...application.status, applicationState: { state: 'SUBMITTED' } } });
  const performer = { client: calls as unknown as KubeClient } as Performer;
  await expect(perform(performer, application, { kind, pod: viewOf(pod) })).rejects.toMatchObject({ status: 409 });
  expect(exists()).toBe(true);
});
