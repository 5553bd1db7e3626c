import { ApiError, NetworkError } from '../../../../src/kube/errors';
import { ManualClock, settle } from '../../../kube/helpers/manual-clock';
import { DAY, HOUR } from '../../../helpers/certificates';
import { certificatesOf, objection } from './helpers/certificates';
import { CONFIGURATION, type FakeCall, FakeCluster, HOST, PLURALS, SECRET } from './helpers/fake-cluster';
import { Replica } from './helpers/replica';

let cluster: FakeCluster;
let clock: ManualClock;
let replicas: Replica[];

beforeEach(() => {
  cluster = new FakeCluster();
  clock = new ManualClock();
  replicas = [];
});

afterEach(async () => {
  cluster.before = cluster.after = () => {};
  await Promise.all(replicas.map(({ source }) => source.stop()));
  expect(clock.pending).toBe(0);
});

function start(who = 'a', interval?: number): Replica {
  const replica = new Replica(who, cluster, clock, { interval });
  replicas.push(replica);
  return replica;
}

/** Starts a source, and waits until it is settled. */
async function running(who?: string): Promise<Replica> {
  const replica = start(who);
  await clock.advanceAsync(1_000);
  expectInOrder();
  return replica;
}

/**
 * Checks that all replicas serve the certificate of the Secret, all webhooks have one bundle, and
 * clients with the bundle trust the replicas.
 */
function expectInOrder(): void {
  const [bundle] = cluster.bundles();
  expect(cluster.bundles()).toEqual([bundle, bundle, bundle, bundle]);
  for (const { source, cert } of replicas) {
    expect(cert).toBe(cluster.text('server-cert.pem')! + cluster.text('ca-cert.pem')!);
    expect(source.health()).toEqual({ problem: undefined, notAfter: certificatesOf(cert!)[0]!.validToDate });
    expect(objection(bundle!, cert!, HOST, clock.now())).toBeUndefined();
  }
}

const refusal = (what: string) => new ApiError(
  { verb: what.split(' ')[0]!, resource: what.split(' ')[1]! }, 403, { message: 'not allowed' },
);

test('the source fills the Secret, puts the bundle into all webhooks, and changes nothing else', async () => {
  cluster.setTexts({ 'their.txt': 'theirs' });
  const before = cluster.configuration();
  const { lines, source } = await running();
  expect(cluster.text('their.txt')).toBe('theirs');
  expect(cluster.secret).toMatchObject({ metadata: SECRET });
  expect(certificatesOf(cluster.text('server-cert.pem')!)[0]!.subjectAltName).toBe(
    'DNS:webhook.operator.svc, DNS:webhook.operator.svc.cluster.local, DNS:webhook.operator',
  );
  const { webhooks } = cluster.configuration();
  expect(
    webhooks!.map(({ clientConfig: { caBundle, ...clientConfig }, ...webhook }) => ({ ...webhook, clientConfig })),
  ).toEqual(before.webhooks);
  expect(lines).toEqual([
    'wrote certificates of the webhook to the Secret: there are no certificates yet',
    `put the CA of the webhook into MutatingWebhookConfiguration ${CONFIGURATION}`,
    `put the CA of the webhook into ValidatingWebhookConfiguration ${CONFIGURATION}`,
    'the webhook has another certificate',
  ]);
  expect(JSON.stringify(lines)).not.toContain('BEGIN');

  cluster.writes.length = 0;
  await clock.advanceAsync(HOUR);
  expect(cluster.writes).toEqual([]);
  expect(source.current()!.key).toBe(cluster.text('server-key.pem'));
});

test('replicas that start at the same time agree on one CA', async () => {
  ['a', 'b', 'c', 'd'].forEach((who) => start(who));
  await clock.advanceAsync(2_000);
  expectInOrder();
  expect(cluster.writes.filter((write) => write.endsWith('update secrets'))).toHaveLength(1);
});

test('known failure 19: all replicas renew together, before the expiry and without a restart', async () => {
  start('a', DAY);
  start('b', DAY);
  await clock.advanceAsync(1_000);
  const changes: string[] = [];
  replicas.forEach(({ who, source }) => source.onChange(() => changes.push(
    `${who} ${certificatesOf(source.current()!.cert)[0]!.validToDate.toISOString().slice(0, 10)}`,
  )));
  cluster.writes.length = 0;
  await clock.advanceAsync(60 * DAY);
  expectInOrder();
  expect(changes.sort()).toEqual(['a 2026-05-30', 'b 2026-05-30']);
  expect(cluster.writes).toHaveLength(1);
});

test.each(PLURALS)('the source restores a removed bundle of %s at once', async (plural) => {
  await running();
  const { webhooks: [first, ...others], ...configuration } = cluster.configuration(plural) as any;
  cluster.put(plural, {
    ...configuration, webhooks: [
      { ...first, clientConfig: { ...first.clientConfig, caBundle: undefined }, timeoutSeconds: 3 }, ...others,
    ],
  });
  await clock.advanceAsync(1_000);
  expectInOrder();
  expect(cluster.configuration(plural).webhooks![0]).toHaveProperty('timeoutSeconds', 3);
});

test('without a watch the source restores it within the interval', async () => {
  cluster.before = ({ what }) => { if (what.startsWith('watch')) throw refusal(what); };
  await running();
  cluster.put(PLURALS[0], { ...cluster.configuration(), webhooks: [{ name: 'new', clientConfig: {} }] } as any);
  await clock.advanceAsync(30_000);
  expect(cluster.bundles()[0]).toBe(cluster.text('ca-cert.pem'));
});

test('a concurrent change of a configuration and the bundle are both kept', async () => {
  let changes = 0;
  cluster.before = ({ what }) => {
    if (what !== `patch ${PLURALS[0]}` || changes++ > 2) return;
    // In another order: a patch by index would change the wrong webhook.
    const configuration = cluster.configuration();
    cluster.put(
      PLURALS[0], { ...configuration, webhooks: [{ name: `new-${changes}`, clientConfig: {} }, ...configuration.webhooks!] } as any,
    );
  };
  start();
  await clock.advanceAsync(1_000);
  expect(cluster.configuration().webhooks!.map(({ name }) => name)).toEqual(['new-3', 'new-2', 'new-1', 'a.example.org', 'b.example.org']);
  expect(new Set(cluster.bundles())).toEqual(new Set([cluster.text('ca-cert.pem')]));
});

test('without the Secret it serves nothing and reports the remedy; it uses the Secret as soon as that exists', async () => {
  const { secret } = cluster;
  cluster.delete('secrets', SECRET.name);
  const replica = start();
  const { source } = replica;
  expect(source.health()).toEqual({ problem: 'the certificates of the webhook have not been read yet' });
  await clock.advanceAsync(HOUR);
  expect(source.current()).toBeUndefined();
  expect(source.health()).toEqual({
    problem: 'the certificates of the webhook cannot be kept up: there is no Secret operator/certs; create it without data (kubectl -n '
      + 'operator create secret generic certs), or install the operator again',
  });
  expect(replica.lines).toHaveLength(1);
  cluster.put('secrets', secret);
  await clock.advanceAsync(1_000);
  expectInOrder();
});

test('after a deletion of the Secret it keeps serving, and fills the next Secret', async () => {
  const replica = await running();
  const { secret } = cluster;
  const { cert } = replica;
  cluster.delete('secrets', SECRET.name);
  await clock.advanceAsync(HOUR);
  expect(replica.cert).toBe(cert);
  expect(replica.source.health().problem).toContain('there is no Secret operator/certs');
  cluster.put('secrets', { ...secret, data: {} } as any);
  await clock.advanceAsync(1_000);
  expectInOrder();
  expect(replica.cert).toBe(cert);
});

test('an emptied Secret gets its content back; one with a broken CA gets another CA', async () => {
  const { cert } = await running('a');
  await running('b');
  cluster.setTexts({});
  await clock.advanceAsync(5_000);
  expectInOrder();
  expect(replicas.map((replica) => replica.cert)).toEqual([cert, cert]);
  expect(replicas.flatMap(({ lines }) => lines)).toContain(
    'wrote certificates of the webhook to the Secret: it was emptied: the operator restores its content',
  );
  cluster.setTexts({ 'ca-cert.pem': '' });
  await clock.advanceAsync(5_000);
  expectInOrder();
  expect(replicas[0]!.cert).not.toBe(cert);
});

test.each([422, 409, 404])('a configuration whose patch always fails with %d does not affect the other one', async (status) => {
  cluster.before = ({ what }) => {
    if (what === `patch ${PLURALS[0]}`) {
      throw new ApiError({ verb: 'patch', resource: PLURALS[0] }, status, { message: 'webhooks[0].matchConditions: no' });
    }
  };
  const { source } = start();
  await clock.advanceAsync(10_000);
  expect(source.current()).toBeDefined();
  expect(source.health().problem).toContain('webhooks[0].matchConditions: no');
  expect(cluster.bundles().slice(2)).toEqual([cluster.text('ca-cert.pem'), cluster.text('ca-cert.pem')]);
});

test('a configuration that changes at each patch does not prevent serving', async () => {
  cluster.before = ({ what }) => { if (what === `patch ${PLURALS[0]}`) cluster.put(PLURALS[0], cluster.configuration()); };
  const { source } = start();
  await clock.advanceAsync(10_000);
  expect(source.current()).toBeDefined();
});

test('after a failed write it does not write the Secret again at once', async () => {
  let tries = 0;
  cluster.before = ({ what }) => {
    if (what !== 'update secrets') return;
    tries++;
    throw new ApiError({ verb: 'update', resource: 'secrets' }, 422, { message: 'field is immutable when `immutable` is set' });
  };
  const { source } = start();
  await clock.advanceAsync(200);
  expect(tries).toBe(1);
  expect(source.health().problem).toContain('immutable');
});

test.each([
  ['garbage', {
    'ca-key.pem': '\0', 'ca-cert.pem': '-----BEGIN', 'server-key.pem': 'x', 'server-cert.pem': '',
  }, 'ca-cert.pem is not a certificate: all certificates are replaced'],
  ['half of it', { 'ca-key.pem': undefined, 'server-cert.pem': undefined }, 'ca-cert.pem is without its other half: all certificates are replaced'],
  ['a foreign certificate', {
    'server-cert.pem': undefined, 'server-key.pem': undefined,
  }, 'server-cert.pem is not there: there is a new one'],
])('all replicas together replace %s in the Secret once', async (_, texts, why) => {
  await running('a');
  await running('b');
  cluster.writes.length = 0;
  cluster.setTexts({ ...Object.fromEntries(Object.keys(cluster.secret.data!).map((key) => [key, cluster.text(key)])), ...texts });
  await clock.advanceAsync(5_000);
  expectInOrder();
  expect(cluster.writes.filter((write) => write.endsWith('secrets'))).toHaveLength(1);
  expect(replicas.flatMap(({ lines }) => lines)).toContain(`wrote certificates of the webhook to the Secret: ${why}`);
});

test('it reports missing permissions; it serves no certificate of another CA before clients can receive that CA', async () => {
  const replica = await running();
  const { cert } = replica;
  cluster.before = ({ what }) => { if (what.startsWith('patch')) throw refusal(what); };
  cluster.setTexts({ 'ca-cert.pem': '' });
  await clock.advanceAsync(HOUR);
  expect(cluster.text('server-cert.pem')).toBeDefined();
  expect(replica.cert).toBe(cert);
  expect(objection(cluster.bundles()[0]!, cert!, HOST, clock.now())).toBeUndefined();
  expect(replica.source.health().problem).toContain(
    'patch mutatingwebhookconfigurations: 403 Forbidden: not allowed; grant the operator get, watch and update of its Secret, and get, '
      + 'watch and patch of its webhook configurations',
  );
  cluster.before = () => {};
  await clock.advanceAsync(30_000);
  expectInOrder();
});

test('a next CA that cannot be put into the configurations does not sign, and the served certificate is still renewed', async () => {
  const replica = start('a', DAY);
  await clock.advanceAsync(239 * DAY);
  const [bundle] = cluster.bundles();
  cluster.before = ({ what }) => { if (what === `patch ${PLURALS[1]}`) throw refusal(what); };
  await clock.advanceAsync(100 * DAY);
  expect(cluster.text('next-ca-cert.pem')).toBeDefined();
  expect(objection(bundle!, replica.cert!, HOST, clock.now())).toBeUndefined();
  expect(replica.source.health().problem).toContain('403');
  cluster.before = () => {};
  await clock.advanceAsync(2 * DAY);
  expect(cluster.text('next-ca-cert.pem')).toBeUndefined();
  expectInOrder();
});

test('a delayed patch with a previous bundle is rejected', async () => {
  let release = () => {};
  cluster.before = ({ who, what }) => (who === 'slow' && what.startsWith('patch')
    ? new Promise<void>((resolve) => { release = resolve; })
    : undefined);
  start('slow', DAY);
  await clock.advanceAsync(1_000);
  start('a', DAY);
  await clock.advanceAsync(242 * DAY);
  const bundles = cluster.bundles();
  expect(certificatesOf(bundles[0]!)).toHaveLength(2);
  release();
  await settle();
  expect(cluster.bundles()).toEqual(bundles);
  expect(cluster.writes.filter((write) => write.startsWith('slow patch'))).toEqual([]);
});

test('a next CA that was removed from a configuration waits again', async () => {
  start('a', DAY);
  await clock.advanceAsync(239 * DAY);
  const { webhooks } = cluster.configuration();
  while (cluster.text('next-ca-cert.pem') === undefined) await clock.advanceAsync(60_000);
  await clock.advanceAsync(50 * 60_000);
  cluster.put(PLURALS[0], { ...cluster.configuration(), webhooks } as any);
  await clock.advanceAsync(59 * 60_000);
  expect(cluster.text('next-ca-cert.pem')).toBeDefined();
  await clock.advanceAsync(2 * 60_000);
  expect(cluster.text('next-ca-cert.pem')).toBeUndefined();
  expectInOrder();
});

test('a missing configuration is reported, and delays nothing', async () => {
  cluster.delete(PLURALS[0], CONFIGURATION);
  const { source } = start();
  await clock.advanceAsync(1_000);
  expect(source.current()).toBeDefined();
  expect(source.health().problem).toBe(
    `there is no MutatingWebhookConfiguration ${CONFIGURATION}: install it, as nothing is sent to the webhook without it`,
  );
  expect(cluster.bundles()).toEqual([cluster.text('ca-cert.pem'), cluster.text('ca-cert.pem')]);
});

test('while the API server is unreachable it keeps serving, and reports the expiry', async () => {
  const { source } = await running();
  cluster.cut('a');
  await clock.advanceAsync(HOUR);
  expect(source.health()).toEqual({
    problem: 'the certificates of the webhook cannot be kept up: get secrets: refused', notAfter: expect.any(Date),
  });
  (clock as unknown as { time: number }).time += 91 * DAY;
  expect(source.health().problem).toMatch(/^the certificate of the webhook has expired; /);
  cluster.cut('a', false);
  await clock.advanceAsync(HOUR);
  expectInOrder();
});

describe('the next process continues after a process that ended at any call:', () => {
  const never = new Promise(() => {});

  test.each([['an empty Secret', 0, 1_000], ['a change of the CA', 239, 3 * DAY]])('%s', async (_, days, ms) => {
    const { source } = start('a', DAY);
    await clock.advanceAsync(days * DAY);
    await source.stop();
    const [before, begin] = [days === 0 ? new FakeCluster().objects : new Map(cluster.objects), clock.now()];
    let points = 0;
    for (const when of ['before', 'after'] as const) {
      for (let fatal = 1, isOver = true; isOver; fatal++) {
        [cluster, clock, replicas] = [new FakeCluster(), new ManualClock(begin), []];
        for (const [key, object] of before) cluster.put(key.split('/')[0]!, object);
        let calls = 0;
        isOver = false;
        cluster[when] = ({ who, what }: FakeCall) => {
          if (who !== 'doomed' || what.startsWith('watch') || ++calls < fatal) return undefined;
          isOver = true;
          return never;
        };
        new Replica('doomed', cluster, clock, { interval: DAY });
        await clock.advanceAsync(ms);
        points++;
        // The process and its timers are gone.
        clock = new ManualClock(clock.now());
        await running('next');
        await Promise.all(replicas.map((replica) => replica.source.stop()));
      }
    }
    expect(points).toBeGreaterThan(15);
    [clock, replicas] = [new ManualClock(), []];
  }, 240_000);
});

test('it notices a lost answer', async () => {
  let lost = 0;
  cluster.after = ({ what }) => {
    if (what.startsWith('watch') || what.startsWith('get') || lost++ > 2) return;
    throw new NetworkError({ verb: what, resource: '' }, 'ECONNRESET', 'the answer was lost');
  };
  start('a');
  start('b');
  await clock.advanceAsync(60_000);
  expect(lost).toBeGreaterThan(2);
  expectInOrder();
  expect(cluster.writes.filter((write) => write.endsWith('secrets'))).toHaveLength(1);
});

test('disagreeing processes do not write at full speed', async () => {
  start('a');
  // Its clock is a year behind, so all certificates are from the future.
  const late = new ManualClock(clock.now() - 365 * DAY);
  const other = new Replica('b', cluster, late);
  for (let second = 0; second < 600; second++) {
    await clock.advanceAsync(1_000);
    await late.advanceAsync(1_000);
  }
  expect(cluster.writes.filter((write) => write.endsWith('secrets')).length).toBeLessThan(80);
  await other.source.stop();
  await settle();
});
