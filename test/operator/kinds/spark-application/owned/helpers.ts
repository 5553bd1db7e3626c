import type { SparkApplicationSpec } from '../../../../../src/api/spark-application';
import type { SparkApplicationStatus } from '../../../../../src/api/spark-application-status';
import { ApplicationState } from '../../../../../src/api/states';
import type { OwnedSettings } from '../../../../../src/operator/owned/settings';
import type { SparkApplication } from '../../../../../src/model/spark-application';
import { OwnedObjects } from '../../../../../src/operator/kinds/spark-application/owned/owned-objects';
import { ManualClock } from '../../../../kube/helpers/manual-clock';
import { Calls } from '../../../owned/calls';

/** Options of an application. */
export interface Changes {
  readonly name?: string;
  readonly uid?: string;
  readonly state?: ApplicationState;
  readonly spec?: Partial<SparkApplicationSpec>;
  readonly status?: Partial<SparkApplicationStatus>;
}

/** Time of the driver's submission. */
export const SUBMITTED_AT = '2026-01-01T00:00:10Z';

/** Returns an application whose driver is running. */
export function application(
  { name = 'pi', uid = 'uid-pi', state = ApplicationState.RUNNING, spec, status }: Changes = {},
): SparkApplication {
  return {
    metadata: { name, namespace: 'jobs', uid, generation: 1 },
    spec: {
      type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {}, ...spec,
    } as SparkApplicationSpec,
    status: {
      submissionID: 's-1',
      sparkApplicationId: 'spark-1',
      submissionAttempts: 1,
      lastSubmissionAttemptTime: SUBMITTED_AT,
      driverInfo: { podName: `${name}-driver` },
      applicationState: { state },
      ...status,
    },
  };
}

/** Settings for Services of web UIs, and nothing else. */
export const SETTINGS: OwnedSettings = { uiService: true, driverPodDisruptionBudget: false, ingress: {} };

/**
 * Returns the server and the clock of one test, and operators that just started on them. Call it
 * once at the top of a file.
 */
export function ownedWorld() {
  const world = {
    calls: new Calls(),
    clock: new ManualClock(),
    operator: (settings: OwnedSettings = SETTINGS) => new OwnedObjects({ client: world.calls as never, settings, clock: world.clock }),
  };
  beforeEach(() => { [world.calls, world.clock] = [new Calls(), new ManualClock()]; });
  return world;
}
