import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { CERTIFICATE_AGE, renewCertificate, type Certificate } from '../../../src/console/server/certificate';
import { ManualClock } from '../../kube/helpers/manual-clock';
import { fresh } from '../../helpers/certificates';
import { issueAuthority, issueCertificate } from '../../../src/kube/x509/x509';

const authority = issueAuthority('a CA', fresh());

function issue(): Certificate {
  const { certificate, key } = issueCertificate(authority, { commonName: 'the console' }, ['localhost'], fresh());
  return { cert: certificate.toString(), key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

test('a renewed certificate is taken up, and one that is of no use is not', async () => {
  const [first, second] = [issue(), issue()];
  const server = createServer({ ...first }).listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  /** The certificate that a client gets to see. */
  const shown = async () => {
    const socket = connect({ ...server.address() as AddressInfo, host: '127.0.0.1', servername: 'localhost', ca: authority.certificate.toString() });
    await once(socket, 'secureConnect');
    const { raw } = socket.getPeerCertificate();
    socket.destroy();
    return `-----BEGIN CERTIFICATE-----\n${raw.toString('base64').replace(/(.{64})/g, '$1\n').trim()}\n-----END CERTIFICATE-----\n`;
  };
  const clock = new ManualClock();
  const logger = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn(), fatal: jest.fn() };
  let inFiles: Certificate | Error = first;
  const stop = renewCertificate({
    server, first, clock, logger: logger as never,
    read: () => {
      if (inFiles instanceof Error) throw inFiles;
      return inFiles;
    },
  });
  const after = async (change: Certificate | Error) => {
    inFiles = change;
    clock.advance(CERTIFICATE_AGE);
    return shown();
  };
  try {
    expect(await after(new Error('ENOENT'))).toBe(first.cert);
    // The kubelet is about to write the other half.
    expect(await after({ cert: second.cert, key: first.key })).toBe(first.cert);
    expect(await after({ cert: second.cert, key: first.key })).toBe(first.cert);
    expect(logger.warn).toHaveBeenCalledTimes(2);
    expect(await after(second)).toBe(second.cert);
    expect(JSON.stringify([logger.warn.mock.calls, logger.info.mock.calls])).not.toContain('PRIVATE KEY');
  } finally {
    stop();
    server.close();
  }
  expect(clock.pending).toBe(0);
});
