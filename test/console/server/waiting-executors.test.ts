/* Reasons of executors that do not start, in the list of the console. */
import { startLocalConsole } from '../../../src/console/server/local-console';
import { LIST_PERIOD, WaitingExecutors } from '../../../src/console/server/waiting-executors';
import type { ApplicationRow } from '../../../src/console/wire';
import { silentLogger } from '../../../src/kube/logger';
import { ManualClock } from '../../kube/helpers/manual-clock';
import { application, FakeCluster } from '../helpers/fake-cluster';
import { Visitor } from '../helpers/visitor';

const ROW: ApplicationRow = {
  namespace: 'default', name: 'pi', uid: 'uid-default-pi', state: 'RUNNING', created: 0, attempts: 1,
  executors: { pending: 1, running: 0, completed: 0, failed: 0 }, shortReason: '1 executor pending', slow: { at: 5, reason: '1 executor pending' },
};

let cluster: FakeCluster;
let clock: ManualClock;

beforeEach(async () => {
  cluster = await FakeCluster.start();
  clock = new ManualClock();
});

afterEach(() => cluster.stop());

/** Adds a pending executor. @param message of the scheduler @default - it is about to be scheduled */
function pending(name: string, message?: string, labels: object = {}): void {
  cluster.put('pods', {
    metadata: { name, namespace: 'default', labels: { 'sparkoperator.k8s.io/app-name': 'pi', 'spark-role': 'executor', ...labels } }, spec: { containers: [] },
    status: { phase: 'Pending', ...message && { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] } },
  });
}

const NO_ROOM = '0/1 nodes are available: 1 Insufficient cpu.';

/** Starts the lists of pods. `next` waits for one; `changed` are the rows that they changed. */
async function listing(rows: readonly ApplicationRow[]) {
  const lists = jest.spyOn(cluster.client, 'list');
  const changed: ApplicationRow[] = [];
  const executors: WaitingExecutors = new WaitingExecutors({
    client: cluster.client, clock, logger: silentLogger, rows: () => rows, onChange: (row) => changed.push(executors.withReason(row)),
  });
  const ended = executors.run();
  const listed = () => clock.timer((ms) => ms === LIST_PERIOD);
  await listed();
  return {
    executors, changed, lists,
    async next() {
      clock.advance(LIST_PERIOD);
      await listed();
    },
    async stop() {
      executors.stop();
      await ended;
    },
  };
}

test('an executor without room needs attention at once, and no longer once it runs', async () => {
  pending('pi-exec-1', NO_ROOM);
  const { executors, changed, next, stop } = await listing([ROW]);
  const { slow: _, ...others } = ROW;
  expect(changed).toEqual([{ ...others, shortReason: '1 executor unschedulable', attention: true }]);
  await next();
  expect(changed).toHaveLength(1);
  cluster.remove('pods', 'default', 'pi-exec-1');
  await next();
  expect([changed.length, changed[1], executors.withReason(ROW)]).toEqual([2, ROW, ROW]);
  await stop();
});

test('executors that are about to start, and those of a deleted application, are no reason', async () => {
  pending('pi-exec-1');
  pending('pi-exec-2', NO_ROOM, { 'sparkoperator.k8s.io/app-uid': 'another' });
  const { changed, stop } = await listing([ROW]);
  expect(changed).toEqual([]);
  await stop();
});

test('pods are listed only while executors are pending, and without the permission rows stay as they are', async () => {
  pending('pi-exec-1', NO_ROOM);
  const idle = await listing([{ ...ROW, executors: { pending: 0, running: 1, completed: 0, failed: 0 } }]);
  expect([idle.lists.mock.calls.length, idle.changed]).toEqual([0, []]);
  await idle.stop();
  cluster.rbac = ({ resource }) => resource !== 'pods';
  const { changed, executors, stop } = await listing([ROW]);
  expect([changed, executors.withReason(ROW)]).toEqual([[], ROW]);
  await stop();
});

test('the list of a local console has the reason', async () => {
  const stored = application('pi');
  cluster.put('sparkapplications', { ...stored, status: { ...stored.status, executorState: { 'pi-exec-1': 'PENDING' } } });
  pending('pi-exec-1', NO_ROOM);
  const console_ = await startLocalConsole({
    client: cluster.client, dial: () => Promise.reject(new Error('no driver here')), loadPage: async () => ({ script: '', style: '' }),
    port: 0, fallback: 'default', cluster: 'test', version: '1.2.3', logger: silentLogger,
  });
  try {
    const user = await new Visitor(console_.port, { host: `127.0.0.1:${console_.port}` }).admitted(console_.url);
    const follower = await user.follow();
    await follower.until((rows) => rows.applications.get('default/pi')?.shortReason === '1 executor unschedulable');
    follower.leave();
  } finally {
    await console_.stop();
  }
});
