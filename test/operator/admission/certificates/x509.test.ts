/* What is written here is read by others: node:tls has to take it. */
import { once } from 'node:events';
import { connect, createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { type Identity, issueAuthority, issueServerCertificate } from '../../../../src/operator/admission/certificates/x509';
import { DAY, fresh } from './helpers/certificates';

const HOST = 'webhook.operator.svc';
const pemOf = ({ certificate, key }: Identity) => ({ cert: certificate.toString(), key: key.export({ type: 'pkcs8', format: 'pem' }).toString() });

/** What a client that trusts `ca` says to a server with `leaf`. */
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

test('a client that trusts the CA trusts the server by each of its names, and nobody else', async () => {
  const authority = issueAuthority('a CA', fresh());
  const leaf = issueServerCertificate(authority, 'a server', [HOST, 'webhook.operator'], fresh());
  expect(await handshake(leaf, authority)).toBe('trusted');
  expect(await handshake(leaf, authority, 'webhook.operator')).toBe('trusted');
  expect(await handshake(leaf, authority, 'other.operator.svc')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(await handshake(leaf, issueAuthority('a CA', fresh()))).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  // Of two CAs with the same name up to their keys the right one is found.
  expect(await handshake(leaf, pemOf(issueAuthority('a CA', fresh())).cert + pemOf(authority).cert)).toBe('trusted');
});

test('a certificate is refused outside of its time, and what a server has signed is worth nothing', async () => {
  const authority = issueAuthority('a CA', fresh());
  const late = issueServerCertificate(authority, 'a server', [HOST], fresh(-1_000));
  expect(await handshake(late, authority)).toBe('CERT_HAS_EXPIRED');
  const early = issueServerCertificate(authority, 'a server', [HOST], { ...fresh(), notBefore: Date.now() + DAY / 2 });
  expect(await handshake(early, authority)).toBe('CERT_NOT_YET_VALID');
  const leaf = issueServerCertificate(authority, 'a server', [HOST], fresh());
  const below = issueServerCertificate(leaf, 'a server', [HOST], fresh());
  expect(await handshake({ ...below, certificate: below.certificate }, pemOf(authority).cert + pemOf(leaf).cert)).not.toBe('trusted');
});

test('the fields are those of a CA and of a server', () => {
  const authority = issueAuthority('a CA', fresh()).certificate;
  expect(authority).toMatchObject({ ca: true, subject: expect.stringMatching(/^CN=a CA [0-9a-f]{8}$/), issuer: authority.subject });
  const keys = fresh();
  const leaf = issueServerCertificate(issueAuthority('a CA', fresh()), 'a server', [HOST], keys).certificate;
  expect(leaf).toMatchObject({ ca: false, subject: 'CN=a server', subjectAltName: `DNS:${HOST}`, keyUsage: ['1.3.6.1.5.5.7.3.1'], serialNumber: Buffer.from(keys.serial).toString('hex').toUpperCase() });
});

test('lengths of all sizes and years of all centuries are written as they are read', () => {
  const authority = issueAuthority('a CA', fresh());
  for (const count of [1, 3, 5, 9, 300, 3_000]) {
    const hosts = Array.from({ length: count }, (_, index) => `name-${index}.operator.svc`);
    expect(issueServerCertificate(authority, 'a server', hosts, fresh()).certificate.subjectAltName).toBe(hosts.map((host) => `DNS:${host}`).join(', '));
  }
  for (const end of ['2049-12-31T23:59:59Z', '2050-01-01T00:00:00Z', '2113-07-01T12:30:15Z']) {
    const { validToDate } = issueAuthority('a CA', { ...fresh(), notAfter: Date.parse(end) + 999 }).certificate;
    expect(validToDate).toEqual(new Date(end));
  }
});
