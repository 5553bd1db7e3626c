import { silentLogger } from '../../src/operator/kube/logger';
import { leadership } from '../../src/operator/leadership';
import { FakeLeases } from './kube/helpers/fake-leases';
import { ManualClock, settle } from './kube/helpers/manual-clock';

const CONFIGURATION = { enabled: true, lockName: 'lock', lockNamespace: 'ops', leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };
const CALL = { verb: 'create', resource: 'pods' };

function start(configuration: typeof CONFIGURATION, leases = new FakeLeases()) {
  const log: string[] = [];
  const lead = async (term: AbortSignal) => {
    log.push('begin');
    await new Promise<void>((resolve) => term.addEventListener('abort', () => resolve()));
    log.push('end');
  };
  const made = leadership({ configuration, client: leases.client('a'), identity: 'a', lead, logger: silentLogger, clock: new ManualClock() });
  return { log, leases, made };
}

test('with an election the work begins with the Lease, and ends before it is given back', async () => {
  const { log, leases, made } = start(CONFIGURATION);
  expect(() => made.guard(CALL)).toThrow('does not lead');
  made.start();
  await settle();
  expect([made.leading(), log]).toEqual([true, ['begin']]);
  expect(() => made.guard(CALL)).not.toThrow();
  await made.stop();
  expect([made.leading(), log, leases.lease!.spec!.holderIdentity]).toEqual([false, ['begin', 'end'], '']);
});

test('without one this process works until it stops, and asks nobody', async () => {
  const { log, leases, made } = start({ ...CONFIGURATION, enabled: false });
  made.start();
  expect([made.leading(), made.health()]).toEqual([true, undefined]);
  expect(() => made.guard(CALL)).not.toThrow();
  await made.stop();
  expect([log, leases.lease]).toEqual([['begin', 'end'], undefined]);
});
