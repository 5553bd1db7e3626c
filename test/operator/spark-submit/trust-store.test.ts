import { createHash, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { trustStore } from '../../../src/operator/spark-submit/trust-store';

test('a JKS: its entries are the certificates, and its digest is that of the password and the content', () => {
  const [first, second] = rootCertificates as [string, string];
  const bytes = trustStore([first, second], 1_700_000_000_000);
  expect([bytes.readUInt32BE(0), bytes.readUInt32BE(4), bytes.readUInt32BE(8)]).toEqual([0xfeedfeed, 2, 2]);

  const { raw } = new X509Certificate(first);
  const alias = 16 + 2 + 'ca-0'.length;
  expect(bytes.subarray(16, alias).toString('latin1')).toBe('\0\x04ca-0');
  expect(Number(bytes.readBigInt64BE(alias))).toBe(1_700_000_000_000);
  const certificate = alias + 8 + 2 + 'X.509'.length + 4;
  expect(bytes.readUInt32BE(certificate - 4)).toBe(raw.length);
  expect(bytes.subarray(certificate, certificate + raw.length).equals(raw)).toBe(true);

  const password = Buffer.from([...'changeit'].flatMap((letter) => [0, letter.charCodeAt(0)]));
  const digest = createHash('sha1').update(password).update('Mighty Aphrodite').update(bytes.subarray(0, -20)).digest();
  expect(bytes.subarray(-20).equals(digest)).toBe(true);
});
