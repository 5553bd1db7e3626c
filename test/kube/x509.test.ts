/* node:tls has to accept the certificates. */
import { once } from 'node:events';
import { connect, createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { type Identity, issueAuthority, issueCertificate } from '../../src/kube/x509/x509';
import { DAY, fresh } from '../helpers/certificates';

const HOST = 'webhook.operator.svc';
const pemOf = ({ certificate, key }: Identity) => ({ cert: certificate.toString(), key: key.export({ type: 'pkcs8', format: 'pem' }).toString() });

/** Returns the verdict of a client that trusts `ca` on a server with `leaf`. */
async function handshake(leaf: Identity, ca: Identity | string, servername = HOST): Promise<string> {
  const server = createServer(pemOf(leaf), (socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket: TLSSocket = connect({ host: '127.0.0.1', port, servername, ca: typeof ca === 'string' ? ca : pemOf(ca).cert });
  const answer = await Promise.race([once(socket, 'secureConnect').then(() => 'trusted'), once(socket, 'error').then(([error]) => error.code)]).catch((error) => error.code);
  socket.destroy();
  server.close();
  return answer;
}

test('a client that trusts the CA trusts the server by each of its names, and no other client does', async () => {
  const authority = issueAuthority('a CA', fresh());
  const leaf = issueCertificate(authority, { commonName: 'a server' }, [HOST, 'webhook.operator'], fresh());
  expect(await handshake(leaf, authority)).toBe('trusted');
  expect(await handshake(leaf, authority, 'webhook.operator')).toBe('trusted');
  expect(await handshake(leaf, authority, 'other.operator.svc')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(await handshake(leaf, issueAuthority('a CA', fresh()))).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  // Of two CAs with the same name up to their keys the right one is found.
  expect(await handshake(leaf, pemOf(issueAuthority('a CA', fresh())).cert + pemOf(authority).cert)).toBe('trusted');
});

test('a certificate is refused outside of its time, and what a server has signed is worth nothing', async () => {
  const authority = issueAuthority('a CA', fresh());
  const late = issueCertificate(authority, { commonName: 'a server' }, [HOST], fresh(-1_000));
  expect(await handshake(late, authority)).toBe('CERT_HAS_EXPIRED');
  const early = issueCertificate(authority, { commonName: 'a server' }, [HOST], { ...fresh(), notBefore: Date.now() + DAY / 2 });
  expect(await handshake(early, authority)).toBe('CERT_NOT_YET_VALID');
  const leaf = issueCertificate(authority, { commonName: 'a server' }, [HOST], fresh());
  const below = issueCertificate(leaf, { commonName: 'a server' }, [HOST], fresh());
  expect(await handshake({ ...below, certificate: below.certificate }, pemOf(authority).cert + pemOf(leaf).cert)).not.toBe('trusted');
});

test('the fields are those of a CA and of a server', () => {
  const authority = issueAuthority('a CA', fresh()).certificate;
  expect(authority).toMatchObject({ ca: true, subject: expect.stringMatching(/^CN=a CA [0-9a-f]{8}$/), issuer: authority.subject });
  const keys = fresh();
  const leaf = issueCertificate(issueAuthority('a CA', fresh()), { commonName: 'a server' }, [HOST], keys).certificate;
  expect(leaf).toMatchObject({ ca: false, subject: 'CN=a server', subjectAltName: `DNS:${HOST}`, keyUsage: ['1.3.6.1.5.5.7.3.1'], serialNumber: Buffer.from(keys.serial).toString('hex').toUpperCase() });
});

test('lengths of all sizes and years of all centuries are written as they are read', () => {
  const authority = issueAuthority('a CA', fresh());
  for (const count of [1, 3, 5, 9, 300, 3_000]) {
    const hosts = Array.from({ length: count }, (_, index) => `name-${index}.operator.svc`);
    expect(issueCertificate(authority, { commonName: 'a server' }, hosts, fresh()).certificate.subjectAltName).toBe(hosts.map((host) => `DNS:${host}`).join(', '));
  }
  for (const end of ['2049-12-31T23:59:59Z', '2050-01-01T00:00:00Z', '2113-07-01T12:30:15Z']) {
    const { validToDate } = issueAuthority('a CA', { ...fresh(), notAfter: Date.parse(end) + 999 }).certificate;
    expect(validToDate).toEqual(new Date(end));
  }
});

test('a certificate of a node names its group and its address, and serves a client, too', () => {
  const authority = issueAuthority('a CA', fresh());
  const subject = { organization: 'system:nodes', commonName: 'system:node:node1' };
  const { certificate, key } = issueCertificate(authority, subject, ['node1', '198.19.255.1'], fresh(), ['server', 'client']);
  expect(certificate).toMatchObject({
    subject: 'O=system:nodes\nCN=system:node:node1',
    subjectAltName: 'DNS:node1, IP Address:198.19.255.1',
    keyUsage: ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'],
  });
  expect(certificate.checkIP('198.19.255.1')).toBe('198.19.255.1');
  expect(certificate.checkIssued(authority.certificate) && certificate.verify(authority.certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(key)).toBe(true);
});

test('a certificate of a client has no names of hosts', () => {
  const { certificate } = issueCertificate(issueAuthority('a CA', fresh()), { commonName: 'alice' }, [], fresh(), ['client']);
  expect(certificate.subjectAltName).toBeUndefined();
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
});

test('each serial number is new, positive and as long as the others', () => {
  const serials = Array.from({ length: 50 }, () => issueAuthority('a CA', fresh()).certificate.serialNumber);
  expect(new Set(serials).size).toBe(50);
  for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
});
