import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority, issue } from '../../local-cluster/cluster/x509.ts';

/** Writes `tls.crt` and `tls.key` of a server on this machine. @returns the certificate of the authority that issued it */
export function writeCertificate(folder: string): string {
  const authority = createAuthority('bench');
  const { certificate, key } = issue(authority, { commonName: 'webhook' }, ['localhost']);
  writeFileSync(join(folder, 'tls.crt'), certificate);
  writeFileSync(join(folder, 'tls.key'), key, { mode: 0o600 });
  return authority.certificate;
}
