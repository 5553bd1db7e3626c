import { silentLogger } from '../../../src/kube/logger';
import { leadership, type Term } from '../../../src/operator/runtime/leadership';
import { FakeLeases } from '../../kube/helpers/fake-leases';
import { ManualClock, settle } from '../../kube/helpers/manual-clock';

const CONFIGURATION = { enabled: true, lockName: 'lock', lockNamespace: 'ops', leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };
const CALL = { verb: 'create', resource: 'pods' };

function start(configuration: typeof CONFIGURATION, leases = new FakeLeases(), identity = 'a', clock = new ManualClock()) {
  const log: string[] = [];
  const terms = new Set<Term>();
  const lead = async (term: Term) => {
    log.push('begin all');
    terms.add(term);
    await new Promise<void>((resolve) => term.signal.addEventListener('abort', () => resolve()));
    terms.delete(term);
    log.push('end all');
  };
  const finish = async () => { log.push(`finish${leases.lease?.spec?.holderIdentity ? '' : ' without a Lease'}`); };
  const made = leadership({ configuration, client: leases.client(identity), identity, lead, finish, logger: silentLogger, clock });
  return { log, terms, leases, made };
}

const holderOf = ({ lease }: FakeLeases) => lease?.spec?.holderIdentity;

test('with an election the work begins with the Lease, and ends before it is given back', async () => {
  const { log, leases, made } = start(CONFIGURATION);
  expect(() => made.guard(CALL)).toThrow('does not lead');
  made.start();
  await settle();
  expect([made.leads(), log, made.health()?.line]).toEqual([true, ['begin all'], 'leading']);
  expect(() => made.guard(CALL)).not.toThrow();
  await made.stop();
  expect([made.leads(), log, holderOf(leases)]).toEqual([false, ['begin all', 'end all', 'finish'], '']);
});

test('a standby reports who leads', async () => {
  const { leases, made } = start(CONFIGURATION);
  made.start();
  await settle();
  const other = start(CONFIGURATION, leases, 'b');
  expect(other.made.health()?.line).toBe('standing by, no leader');
  other.made.start();
  await settle();
  expect(other.made.health()?.line).toBe('standing by, a leads');
  await Promise.all([made.stop(), other.made.stop()]);
});

test('without leader election this process works until it stops, and needs no Lease', async () => {
  const { log, leases, made } = start({ ...CONFIGURATION, enabled: false });
  expect(made.leads()).toBe(false);
  made.start();
  expect([made.leads(), made.health()]).toEqual([true, undefined]);
  expect(() => made.guard(CALL)).not.toThrow();
  await made.stop();
  expect([made.leads(), log, leases.lease]).toEqual([false, ['begin all', 'end all', 'finish without a Lease'], undefined]);
});
