import { ApplicationState } from '../../src/api/states';
import { fieldsNotKept, statusWriters } from '../../src/model/status-writers';

const RUNNING = { driverInfo: { podName: 'pi-driver' }, submissionID: 's', applicationState: { state: ApplicationState.RUNNING } };
/** With fields that kubeflow's operator does not know. */
const OURS: any = { ...RUNNING, specHash: 'abc', observedGeneration: 1, conditions: [] };

test('the API server records the writers of the status', () => {
  const metadata = {
    name: 'pi', managedFields: [
      { manager: 'kubectl-client-side-apply', operation: 'Update', time: '2026-03-01T10:00:00Z' },
      { manager: 'spark-operator', operation: 'Update', subresource: 'status', time: '2026-03-01T10:00:05Z' },
    ],
  };
  expect(statusWriters(metadata)).toEqual([{ manager: 'spark-operator', time: Date.parse('2026-03-01T10:00:05Z') }]);
  expect(statusWriters({ name: 'pi' })).toEqual([]);
});

test('fields that a foreign CRD drops', () => {
  expect(fieldsNotKept(OURS, RUNNING)).toEqual(['observedGeneration', 'conditions', 'specHash']);
  expect(fieldsNotKept(OURS, OURS)).toEqual([]);
});
