import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issuePem, newAuthority } from '../../local-cluster/cluster/certificates.ts';

/** Writes `tls.crt` and `tls.key` of a server on this machine. @returns the certificate of the authority that issued it */
export function writeCertificate(folder: string): string {
  const authority = newAuthority('bench');
  const { certificate, key } = issuePem(authority, { commonName: 'webhook' }, ['localhost']);
  writeFileSync(join(folder, 'tls.crt'), certificate);
  writeFileSync(join(folder, 'tls.key'), key, { mode: 0o600 });
  return authority.certificate.toString();
}
