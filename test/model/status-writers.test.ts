import { ApplicationState } from '../../src/api/states';
import { fieldsNotKept, notice, statusWriters, type Sighting } from '../../src/model/status-writers';

const US = 'cdk8s-spark-operator';
const RUNNING = { driverInfo: { podName: 'pi-driver' }, submissionID: 's', applicationState: { state: ApplicationState.RUNNING } };
/** With fields that kubeflow's operator does not know. */
const OURS: any = { ...RUNNING, specHash: 'abc', observedGeneration: 1, conditions: [] };

function sighting(resourceVersion: string, status: any, writers?: Record<string, number>): Sighting {
  return { uid: 'u', resourceVersion, status, writers: writers && Object.entries(writers).map(([manager, time]) => ({ manager, time })) };
}

describe('notice() recognizes another writer', () => {
  test('by the fields that its writes drop', () => {
    expect(notice(sighting('1', OURS), sighting('2', RUNNING), US)).toEqual({
      reason: 'the status has lost observedGeneration, conditions, specHash, which happens when kubeflow\'s operator writes it',
    });
  });

  test('by its name, even if its writes drop no field', () => {
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
    [
      'an older replica of this operator, which knows fewer fields', sighting('1', { ...OURS, appliedDefaults: [] }),
      sighting('2', { ...RUNNING, specHash: 'abc' }),
    ],
    ['a recreated application', sighting('1', OURS), { ...sighting('2', RUNNING), uid: 'other' }],
    ['a missing status, as after a restore from a backup', sighting('1', OURS), sighting('2', undefined)],
    [
      'a writer before this operator adopted the application',
      sighting('1', OURS, { 'spark-operator': 1_000, [US]: 2_000 }),
      sighting('2', OURS, { 'spark-operator': 1_000, [US]: 2_000 }),
    ],
    ['a repair by hand', sighting('1', OURS, { [US]: 1_000 }), sighting('2', OURS, { [US]: 1_000, 'kubectl-edit': 2_000 })],
    ['a status without fields to lose', sighting('1', RUNNING), sighting('2', RUNNING)],
  ])('but not %s', (_, previous, seen) => {
    expect(notice(previous, seen, US)).toBeUndefined();
  });

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
});

test('notice() does not mistake a foreign CRD for another writer', () => {
  expect(fieldsNotKept(OURS, RUNNING)).toEqual(['observedGeneration', 'conditions', 'specHash']);
  expect(fieldsNotKept(OURS, OURS)).toEqual([]);
  // Later versions are compared with the API server's answer.
  expect(notice(sighting('1', RUNNING), sighting('2', RUNNING), US)).toBeUndefined();
});
