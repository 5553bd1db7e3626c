import { ApplicationState } from '../../../../src/api/states';
import type { Observation } from '../../../../src/operator/kinds/spark-application/decision';
import { waitingOf } from '../../../../src/operator/kinds/spark-application/waiting';

const { NEW, PENDING_RERUN, RESUMING, SUBMITTED, RUNNING } = ApplicationState;

test.each([
  [NEW, 'creation'], [PENDING_RERUN, 'creation'], [RESUMING, 'creation'], [SUBMITTED, 'start'], [RUNNING, 'start'],
])('an application that is %s waits for the %s of its driver', (state, phase) => {
  const application = {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u', generation: 3 }, status: {
      driverInfo: {}, submissionID: 's1', applicationState: { state },
    },
  };
  const failure = { reason: 'exceeded quota', kind: 'passing' } as const;
  const observation: Observation = {
    application: application as Observation['application'], driver: { kind: 'absent' }, executors: [], failure,
  };

  expect(waitingOf(observation)).toEqual({ uid: 'u', generation: 3, submissionID: 's1', phase, driver: { kind: 'absent' }, failure });
});
