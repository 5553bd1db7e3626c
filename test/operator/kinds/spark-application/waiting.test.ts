import { ApplicationState } from '../../../../src/api/states';
import type { Observation } from '../../../../src/operator/kinds/spark-application/decision';
import { waitingOf } from '../../../../src/operator/kinds/spark-application/waiting';

const { NEW, PENDING_RERUN, RESUMING, SUBMITTED, RUNNING } = ApplicationState;

const FAILURE = { reason: 'exceeded quota', kind: 'passing' } as const;

test.each([
  [NEW, 'creation', undefined], [PENDING_RERUN, 'creation', undefined], [RESUMING, 'creation', undefined], [SUBMITTED, 'start', undefined], [RUNNING, 'start', undefined],
  // The status of a native submission precedes its driver.
  [SUBMITTED, 'creation', FAILURE],
])('an application that is %s waits for the %s of its driver', (state, phase, failure) => {
  const application = {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u', generation: 3 }, status: {
      driverInfo: {}, submissionID: 's1', applicationState: { state },
    },
  };
  const observation: Observation = {
    application: application as Observation['application'], driver: { kind: 'absent' }, executors: [], failure,
  };

  expect(waitingOf(observation)).toEqual({ uid: 'u', generation: 3, submissionID: 's1', phase, driver: { kind: 'absent' }, failure });
});
