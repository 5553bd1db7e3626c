import { statusWriters } from '../../src/model/status-writers';

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
