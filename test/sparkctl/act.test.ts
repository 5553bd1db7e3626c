/* Commands that change objects: suspend, resume, rerun, delete. run-again.test.ts tests waiting. */
import { FakeCluster } from './cluster';
import { sparkctl } from './helpers';

const cluster = () => new FakeCluster()
  .put('sparkapplications', { metadata: { name: 'pi', namespace: 'jobs', labels: { team: 'data' } }, spec: { driver: { cores: 1 } } } as any)
  .put('sparkapplications', { metadata: { name: 'etl', namespace: 'jobs', labels: { team: 'data' } }, spec: {} } as any)
  .put('scheduledsparkapplications', { metadata: { name: 'nightly', namespace: 'jobs' }, spec: {} } as any);

test.each([
  [['suspend', 'pi', 'schedule/nightly'], ['patch sparkapplications jobs/pi {"spec":{"suspend":true}}', 'patch scheduledsparkapplications jobs/nightly {"spec":{"suspend":true}}']],
  [['resume', 'pi'], ['patch sparkapplications jobs/pi {"spec":{"suspend":false}}']],
  [['rerun', 'pi'], ['patch sparkapplications jobs/pi {"spec":{"driver":{"annotations":{"sparkoperator.k8s.io/rerun-at":"2026-03-01T12:00:00.000Z"}}}}']],
  [['delete', 'pi', 'schedule/nightly'], ['delete sparkapplications jobs/pi', 'delete scheduledsparkapplications jobs/nightly']],
  [['delete', '-l', 'team=data'], ['delete sparkapplications jobs/pi', 'delete sparkapplications jobs/etl']],
])('%j', async (args, changes) => {
  const world = cluster();
  expect(await sparkctl(args, { cluster: world })).toMatchObject({ code: 0, stderr: [] });
  expect(world.changes).toEqual(changes);
});

test('a missing object does not prevent the action on the others', async () => {
  const world = cluster();
  const { code, stdout, stderr } = await sparkctl(['suspend', 'absent', 'pi'], { cluster: world });
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'sparkapplication/pi suspended\n' });
  expect(stderr).toEqual([expect.stringMatching(/^sparkapplication\/absent: .*404 NotFound/)]);
});

test('rejects a wrong word before the first change', async () => {
  const world = cluster();
  expect(await sparkctl(['delete', 'pi', 'pod/x'], { cluster: world })).toMatchObject({ code: 2 });
  expect(await sparkctl(['delete', '--selector=', '-n', 'jobs'], { cluster: world })).toMatchObject({ code: 2, stderr: [expect.stringContaining('--selector is empty'), expect.anything()] });
  expect(world.changes).toEqual([]);
});
