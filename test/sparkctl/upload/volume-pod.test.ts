/* The upload pod in case of failures. test/e2e has tests with a real cluster. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from '../../../src/sparkctl/cluster';
import { uploader } from '../../../src/sparkctl/create/uploads';
import { ApiError, NetworkError } from '../../../src/kube/errors';

const folder = mkdtempSync(join(tmpdir(), 'pod-'));
const program = join(folder, 'program.py');
beforeAll(() => writeFileSync(program, 'print(1)\n'));
afterAll(() => rmSync(folder, { recursive: true }));

const call = (verb: string) => ({ verb, resource: 'pods', namespace: 'jobs' });
const refused = (verb: string, status = 403) => new ApiError(call(verb), status, { message: `jane cannot ${verb} pods` });
const NO_ANSWER = new NetworkError(call('create'), 'TIMEOUT', 'no answer in time');

/**
 * Uploads with a fake API server. The test controls how it answers the creation of the pod, and how
 * often the watch breaks before the pod fails.
 */
async function upload({ create, remove, breaks = [] }: { readonly create?: Error; readonly remove?: Error; readonly breaks?: readonly Error[] }) {
  const calls: string[] = [];
  const errors = [...breaks];
  const pod = { metadata: { name: 'p', namespace: 'jobs', uid: '1', resourceVersion: '1' }, status: {} };
  const answer = <T>(verb: string, error: Error | undefined, value: T) => async () => {
    calls.push(verb);
    if (error) throw error;
    return value;
  };
  const client = {
    get: async () => ({}), create: answer('create', create, pod), delete: answer('delete', remove, undefined),
    openPage: async () => ({ items: [pod], metadata: { resourceVersion: '1' } }),
    watch: (_: unknown, { signal }: { readonly signal: AbortSignal }, onEvent: (event: object) => void) => new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      const error = errors.shift();
      if (error) reject(error);
      else onEvent({ type: 'MODIFIED', object: { ...pod, metadata: { ...pod.metadata, resourceVersion: '2' }, status: { phase: 'Failed', reason: 'Evicted' } } });
    }),
  };
  const stderr: string[] = [];
  const plan = await uploader(
    { place: { kind: 'volume', claim: 'programs', folder: '' }, connect: async () => ({ client, namespace: 'jobs' }) as unknown as Cluster, suffix: () => '1' },
    { io: { stderr: (text: string) => stderr.push(text) } as any, terminal: { isTerminal: false, colour: false }, now: () => 0, signal: new AbortController().signal },
  );
  const planned = await plan({ image: 'spark:1', mainApplicationFile: program, driver: {}, executor: {} }, undefined);
  const error = await planned!.send().then(() => undefined, (thrown: Error) => thrown);
  return { error, calls, stderr: stderr.join('') };
}

test('does not delete a rejected pod', async () => {
  const error = refused('create');
  expect(await upload({ create: error, remove: refused('delete') })).toEqual({ error, calls: ['create'], stderr: '' });
});

test('deletes the pod if its creation had no answer', async () => {
  expect(await upload({ create: NO_ANSWER })).toMatchObject({ error: NO_ANSWER, calls: ['create', 'delete'] });
});

test('resumes a broken watch', async () => {
  const { error } = await upload({ breaks: [new ApiError(call('watch'), 410)] });
  expect(error!.message).toContain('does not run: Evicted');
});

test('reports the reason of the failure, even if the pod cannot be deleted', async () => {
  const { error, calls, stderr } = await upload({ remove: refused('delete') });
  expect(error!.message).toBe('the pod for the upload, jobs/sparkctl-upload-1, does not run: Evicted');
  expect(calls).toEqual(['create', 'delete']);
  expect(stderr).toMatch(/^the pod jobs\/sparkctl-upload-1, which the upload used, could not be deleted: .*jane cannot delete pods; delete it with `kubectl delete pod/);
});
