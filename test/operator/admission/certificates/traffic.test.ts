/* Real connections during changes of the certificates: none fails. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MountedCertificates } from '../../../../src/operator/admission/certificates/mounted';
import { type Identity, issueAuthority, issueCertificate } from '../../../../src/kube/x509/x509';
import { silentLogger } from '../../../../src/kube/logger';
import { ManualClock, settle } from '../../../kube/helpers/manual-clock';
import { DAY, fresh } from '../../../helpers/certificates';
import { FakeCluster, HOST } from './helpers/fake-cluster';
import { ask, serve } from './helpers/https-server';
import { Replica } from './helpers/replica';

const ends: (() => unknown)[] = [];
afterEach(async () => { for (const end of ends.splice(0).reverse()) await end(); });

test('self-managed: certificates and the CA are renewed over three years, with clients that receive bundles late', async () => {
  const cluster = new FakeCluster();
  // node:tls uses the real time, and certificates issued in these years are still valid today.
  const clock = new ManualClock(Date.now() - 999 * DAY);
  const settings = { lifetime: 1_000 * DAY, authorityLifetime: 1_200 * DAY, propagation: 10 * DAY };
  const replicas = ['a', 'b'].map((who) => new Replica(who, cluster, clock, { settings, interval: 10 * DAY }));
  ends.push(() => Promise.all(replicas.map(({ source }) => source.stop())));
  await clock.advanceAsync(1_000);
  const servers = await Promise.all(replicas.map(({ source }) => serve(source)));
  ends.push(() => servers.forEach(({ server }) => server.close()));

  const [shown, trusted] = [new Set<string>(), new Set<string>()];
  let [reported, before] = [cluster.bundles()[0]!, cluster.bundles()[0]!];
  while (clock.now() < Date.now() - 4 * DAY) {
    await clock.advanceAsync(4 * DAY);
    await settle();
    // One client receives it four days late, the other at once.
    [before, reported] = [reported, cluster.bundles()[0]!];
    for (const { port } of servers) for (const bundle of new Set([before, reported])) shown.add(await ask(port, bundle, HOST));
    trusted.add(reported);
  }
  expect(shown.size).toBe(3);
  expect(trusted.size).toBe(3);
}, 240_000);

describe('mounted', () => {
  const authority = issueAuthority('a CA', fresh());
  const ca = authority.certificate.toString();
  const issue = (lifetime?: number) => issueCertificate(authority, { commonName: 'a server' }, [HOST], fresh(lifetime));
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'certificates-'));
    ends.push(() => rmSync(directory, { recursive: true }));
  });

  const write = (folder: string, { certificate, key }: Partial<Identity>) => {
    if (certificate) writeFileSync(join(folder, 'tls.crt'), certificate.toString());
    if (key) writeFileSync(join(folder, 'tls.key'), key.export({ type: 'pkcs8', format: 'pem' }));
  };

  /** Writes the files as the kubelet does. */
  let version = 0;
  function mount(identity: Identity): void {
    const data = `..${++version}`;
    mkdirSync(join(directory, data));
    write(join(directory, data), identity);
    symlinkSync(data, join(directory, '..data_tmp'));
    renameSync(join(directory, '..data_tmp'), join(directory, '..data'));
    if (version > 1) return;
    for (const name of ['tls.crt', 'tls.key']) symlinkSync(join('..data', name), join(directory, name));
  }

  function start(interval?: number): MountedCertificates {
    const source = new MountedCertificates({ directory, interval, logger: silentLogger });
    ends.push(() => source.stop());
    source.start();
    return source;
  }

  const changed = (source: MountedCertificates) => new Promise<void>((resolve) => source.onChange(resolve));

  beforeEach(() => { version = 0; });

  test('known failure R10: a Secret that is renewed is served without a failed request', async () => {
    mount(issue());
    const source = start();
    const { server, port } = await serve(source);
    ends.push(() => server.close());
    let isOver = false;
    const shown: string[] = [];
    const traffic = Promise.all([1, 2, 3].map(async () => { while (!isOver) shown.push(await ask(port, ca, HOST)); }));
    let last!: Identity;
    for (let round = 0; round < 4; round++) {
      const isThere = changed(source);
      mount(last = issue());
      await isThere;
    }
    isOver = true;
    await traffic;
    expect(await ask(port, ca, HOST)).toBe(last.certificate.serialNumber);
    expect(new Set(shown).size).toBeGreaterThanOrEqual(4);
    expect(source.health()).toEqual({ problem: undefined, notAfter: last.certificate.validToDate });
  });

  test('a half-written pair is reported and not served until the other half exists', async () => {
    const [first, second] = [issue(), issue()];
    write(directory, first);
    const source = start(50);
    expect(source.health()).toEqual({ problem: undefined, notAfter: first.certificate.validToDate });
    const isThere = changed(source);
    write(directory, { certificate: second.certificate });
    while (source.health().problem === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(source.health().problem).toBe(
      `${directory}/tls.crt and ${directory}/tls.key cannot be served (ERR_OSSL_X509_KEY_VALUES_MISMATCH): write both, of one pair; `
        + 'they are read again by themselves',
    );
    expect(source.current()!.cert).toBe(first.certificate.toString());
    write(directory, { key: second.key });
    await isThere;
    expect(source.current()!.cert).toBe(second.certificate.toString());
    expect(source.health().problem).toBeUndefined();
  });

  test('late files are found, and the expiry is reported', async () => {
    const source = start(50);
    expect(source.current()).toBeUndefined();
    expect(source.health()).toEqual({
      problem: `${directory}/tls.crt, which the webhook needs, cannot be read (ENOENT): mount the Secret with the certificate there, `
        + 'or let the operator manage certificates itself',
    });
    const isThere = changed(source);
    const over = issue(-1_000);
    write(directory, over);
    await isThere;
    expect(source.health()).toEqual({
      problem: `the certificate of the webhook, ${directory}/tls.crt, has expired: renew it, it is read again by itself`,
      notAfter: over.certificate.validToDate,
    });
  });

  test.each([
    ['garbage', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'], ['nothing', ''],
  ])('%s in place of a certificate is reported', (_, text) => {
    write(directory, issue());
    writeFileSync(join(directory, 'tls.crt'), text);
    const source = start();
    expect(source.current()).toBeUndefined();
    expect(source.health()).toEqual({ problem: `${directory}/tls.crt is not a certificate in PEM` });
  });
});
