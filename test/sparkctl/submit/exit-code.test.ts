import { FakeCluster } from '../cluster';
import { driverExitCode } from '../../../src/sparkctl/submit/exit-code';

const REF = { namespace: 'jobs', name: 'etl' };

function cluster({ exitCode, errorMessage = '' }: { readonly exitCode?: number; readonly errorMessage?: string }): FakeCluster {
  const fake = new FakeCluster().put('sparkapplications', {
    metadata: { ...REF, uid: '1' }, spec: {}, status: { driverInfo: { podName: 'etl-driver' }, applicationState: { state: 'FAILED', errorMessage } },
  } as any);
  return exitCode === undefined ? fake : fake.put('pods', {
    metadata: { namespace: 'jobs', name: 'etl-driver', uid: '2', labels: { 'sparkoperator.k8s.io/app-name': 'etl', 'spark-role': 'driver' } },
    spec: { containers: [{ name: 'spark-kubernetes-driver' }] },
    status: { phase: 'Failed', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { terminated: { exitCode } } }] },
  } as any);
}

const codeOf = (given: Parameters<typeof cluster>[0]) => driverExitCode(cluster(given).client, REF, 0, new AbortController().signal);

test.each([
  ['that of the container', { exitCode: 137, errorMessage: 'driver container failed with ExitCode: 1, Reason: Error' }, 137],
  ['that in the status, if the pod is gone', { errorMessage: 'driver container failed with ExitCode: 42, Reason: Error' }, 42],
  ['1, if the driver never ran', { errorMessage: 'the image cannot be pulled' }, 1],
  ['1, if the driver ended well, but the application failed', { exitCode: 0 }, 1],
])('%s', async (_, given, code) => {
  expect(await codeOf(given)).toBe(code);
});

test('1, if the application is gone', async () => {
  expect(await driverExitCode(new FakeCluster().client, REF, 0, new AbortController().signal)).toBe(1);
});
