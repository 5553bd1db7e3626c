import { createHash, X509Certificate } from 'node:crypto';

/** Java's own default; what is in the store is no secret. */
export const TRUST_STORE_PASSWORD = 'changeit';

const MAGIC = 0xfeedfeed;
const VERSION = 2;
const TRUSTED_CERTIFICATE = 2;

/**
 * A key store of Java's type JKS with certificates to trust (the format of sun.security.provider.JavaKeyStore), which every JVM reads.
 *
 * @param certificates in PEM
 * @param time when they were put in, in milliseconds since the epoch
 */
export function trustStore(certificates: readonly string[], time: number): Buffer {
  const entries = certificates.flatMap((pem, index) => {
    const { raw } = new X509Certificate(pem);
    return [int(TRUSTED_CERTIFICATE), text(`ca-${index}`), long(time), text('X.509'), int(raw.length), raw];
  });
  const content = Buffer.concat([int(MAGIC), int(VERSION), int(certificates.length), ...entries]);
  const digest = createHash('sha1').update(Buffer.from(TRUST_STORE_PASSWORD, 'utf16le').swap16()).update('Mighty Aphrodite').update(content).digest();
  return Buffer.concat([content, digest]);
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

/** As DataOutputStream.writeUTF. */
function text(value: string): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value.length);
  return Buffer.concat([bytes, Buffer.from(value)]);
}
