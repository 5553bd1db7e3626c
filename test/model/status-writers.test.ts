import { ApplicationState } from '../../src/api/states';
import { fieldsNotKept, notice, statusWriters, type Sighting } from '../../src/model/status-writers';

const US = 'cdk8s-spark-operator';
const RUNNING = { driverInfo: { podName: 'pi-driver' }, submissionID: 's', applicationState: { state: ApplicationState.RUNNING } };
/** With fields that kubeflow's operator does not know. */
const OURS: any = { ...RUNNING, specHash: 'abc', observedGeneration: 1, conditions: [] };

function sighting(resourceVersion: string, status: any, writers?: Record<string, number>): Sighting {
  return { uid: 'u', resourceVersion, status, writers: writers && Object.entries(writers).map(([manager, time]) => ({ manager, time })) };
}

describe('another writer is noticed', () => {
  test('by what its writes drop', () => {
    expect(notice(sighting('1', OURS), sighting('2', RUNNING), US)).toEqual({
      reason: 'the status has lost observedGeneration, conditions, specHash, which happens when kubeflow\'s operator writes it',
    });
  });

  test('by its name, also while it drops nothing', () => {
    expect(notice(sighting('1', RUNNING, { [US]: 1_000 }), sighting('2', RUNNING, { [US]: 1_000, 'spark-operator': 2_000 }), US))
      .toEqual({ manager: 'spark-operator', reason: 'spark-operator has written the status after this operator' });
  });

  test('within the second of our write', () => {
    const [name, other] = ['cdk8s-spark-operator.a', 'cdk8s-spark-operator.b'];
    const previous = sighting('1', OURS, { [name]: 1_000 });
    expect(notice(previous, sighting('2', OURS, { [name]: 1_000, [other]: 1_000 }), name)).toMatchObject({ manager: other });
    expect(notice(sighting('1', OURS, { [name]: 1_000, [other]: 1_000 }), sighting('2', OURS, { [name]: 1_000, [other]: 1_000 }), name)).toBeUndefined();
  });

  test.each<[string, Sighting, Sighting]>([
    ['our own write', sighting('1', OURS), sighting('1', OURS)],
    ['a change of the specification', sighting('1', OURS), sighting('2', OURS)],
    ['another replica of ours, which knows fewer fields', sighting('1', { ...OURS, appliedDefaults: [] }), sighting('2', { ...RUNNING, specHash: 'abc' })],
    ['an application that was created anew', sighting('1', OURS), { ...sighting('2', RUNNING), uid: 'other' }],
    ['a status that is gone, as after a restore from a backup', sighting('1', OURS), sighting('2', undefined)],
    ['one who wrote before us: the application was taken over', sighting('1', OURS, { 'spark-operator': 1_000, [US]: 2_000 }), sighting('2', OURS, { 'spark-operator': 1_000, [US]: 2_000 })],
    ['a repair by hand', sighting('1', OURS, { [US]: 1_000 }), sighting('2', OURS, { [US]: 1_000, 'kubectl-edit': 2_000 })],
    ['nothing of ours to be lost', sighting('1', RUNNING), sighting('2', RUNNING)],
  ])('but not %s', (_, previous, seen) => {
    expect(notice(previous, seen, US)).toBeUndefined();
  });

  test('the API server tells who wrote the status', () => {
    const metadata = {
      name: 'pi', managedFields: [
        { manager: 'kubectl-client-side-apply', operation: 'Update', time: '2026-03-01T10:00:00Z' },
        { manager: 'spark-operator', operation: 'Update', subresource: 'status', time: '2026-03-01T10:00:05Z' },
      ],
    };
    expect(statusWriters(metadata)).toEqual([{ manager: 'spark-operator', time: Date.parse('2026-03-01T10:00:05Z') }]);
    expect(statusWriters({ name: 'pi' })).toEqual([]);
  });
});

test('a CRD that is not ours is not taken for another writer', () => {
  expect(fieldsNotKept(OURS, RUNNING)).toEqual(['observedGeneration', 'conditions', 'specHash']);
  expect(fieldsNotKept(OURS, OURS)).toEqual([]);
  // What was answered is what later sightings are compared with.
  expect(notice(sighting('1', RUNNING), sighting('2', RUNNING), US)).toBeUndefined();
});
