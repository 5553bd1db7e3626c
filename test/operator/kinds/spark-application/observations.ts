/* Observations for the tests of `decide`. */
import { ApplicationState } from '../../../../src/api/states';
import type { Driver } from '../../../../src/operator/driver/driver';
import { viewOf } from '../../../../src/model/pod-view';
import { conditionsOf } from '../../../../src/operator/kinds/spark-application/conditions';
import type { Context, Observation } from '../../../../src/operator/kinds/spark-application/decision';
import type { SparkApplication } from '../../../../src/model/spark-application';
import { specHashOf } from '../../../../src/operator/kinds/spark-application/spec-change';

export const NOW = Date.parse('2026-03-01T10:00:00Z');
export const CONTEXT: Context = {
  now: NOW, newId: () => '11111111-2222-4333-8444-555555555555', settings: {
    driverStartTimeout: 300_000, sparkSubmitTimeout: 300_000, maxTrackedExecutors: 1000, defaultTimeToLive: 0,
  },
};

export function application(status?: Partial<NonNullable<SparkApplication['status']>>): SparkApplication {
  return {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'uid-1', resourceVersion: '1' },
    spec: {
      type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {},
    } as SparkApplication['spec'],
    ...(status && { status: { driverInfo: { podName: 'pi-driver' }, ...status } }),
  };
}

export const SUBMISSION = {
  submissionID: 'sub-1', specHash: specHashOf(application()), lastSubmissionAttemptTime: '2026-03-01T09:59:00Z', submissionAttempts: 1,
};

/** Returns an application that was in this state at its last reconcile. */
export function inState(state: ApplicationState, more: object = {}): SparkApplication {
  const conditions = conditionsOf({ driverInfo: {}, sparkApplicationId: 'spark-1', applicationState: { state } }, undefined, NOW);
  return application({
    ...SUBMISSION,
    sparkApplicationId: 'spark-1',
    executionAttempts: 1,
    applicationState: { state },
    ...(conditions.length > 0 && { conditions }),
    ...more,
  });
}

export function pod(status: object, labels: Record<string, string> = {}, name = 'pi-driver') {
  return viewOf({
    metadata: {
      name, namespace: 'jobs', uid: `uid-of-${name}`, labels: {
        'spark-app-selector': 'spark-1', 'sparkoperator.k8s.io/submission-id': 'sub-1', ...labels,
      },
    },
    status,
  } as Parameters<typeof viewOf>[0]);
}

export function driver(status: object): Driver {
  return { kind: 'ours', pod: pod(status) };
}

export const ABSENT: Driver = { kind: 'absent' };
export const RUNNING = driver({ phase: 'Running', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { running: {} } }] });
export const terminated = (exitCode: number, more: object = {}) => ({
  name: 'spark-kubernetes-driver', state: {
    terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt: '2026-03-01T09:59:50Z', ...more },
  },
});

export function observation(given: Partial<Observation>): Observation {
  return { application: application(), driver: ABSENT, executors: [], ...given };
}
