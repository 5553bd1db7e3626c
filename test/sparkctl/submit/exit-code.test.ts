import { FakeCluster } from '../cluster';
import { driverExitCode } from '../../../src/sparkctl/submit/exit-code';

const REF = { namespace: 'jobs', name: 'etl' };

const codeOf = (cluster: FakeCluster) => driverExitCode(cluster.client, REF, new AbortController().signal);

test.each([
  ['that of the last attempt', { attemptHistory: [{ exitCode: 1 }, { exitCode: 137 }] }, 137],
  ['that in the error message, for other operators', { applicationState: { state: 'FAILED', errorMessage: 'driver container failed with ExitCode: 42, Reason: Error' } }, 42],
  ['1, if the driver never ran', { attemptHistory: [{}], applicationState: { state: 'FAILED', errorMessage: 'the image cannot be pulled' } }, 1],
  ['1, if the driver ended well, but the application failed', { attemptHistory: [{ exitCode: 0 }] }, 1],
])('%s', async (_, status, code) => {
  expect(await codeOf(new FakeCluster().put('sparkapplications', { metadata: { ...REF, uid: '1' }, spec: {}, status } as any))).toBe(code);
});

test('1, if the application is gone', async () => {
  expect(await codeOf(new FakeCluster())).toBe(1);
});
