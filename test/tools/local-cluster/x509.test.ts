import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createAuthority, issue } from '../../../tools/local-cluster/cluster/x509.ts';

const authority = createAuthority('test');
const issued = issue(authority, { organization: 'system:nodes', commonName: 'system:node:node1' }, ['node1', 'kubernetes.default.svc', '198.19.255.1']);
const certificate = new X509Certificate(issued.certificate);

test('an authority signs itself, and what it issues', () => {
  const root = new X509Certificate(authority.certificate);
  expect(root.ca).toBe(true);
  expect(root.verify(root.publicKey)).toBe(true);
  expect(certificate.ca).toBe(false);
  expect(certificate.checkIssued(root)).toBe(true);
  expect(certificate.verify(root.publicKey)).toBe(true);
});

test('subject and names are those that were asked for', () => {
  expect(certificate.subject).toBe('O=system:nodes\nCN=system:node:node1');
  expect(certificate.subjectAltName).toBe('DNS:node1, DNS:kubernetes.default.svc, IP Address:198.19.255.1');
  expect(certificate.checkHost('kubernetes.default.svc')).toBe('kubernetes.default.svc');
  expect(certificate.checkIP('198.19.255.1')).toBe('198.19.255.1');
});

test('a certificate fits its key, for servers and clients, from now on for years', () => {
  expect(certificate.checkPrivateKey(createPrivateKey(issued.key))).toBe(true);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  expect(certificate.validFromDate.getTime()).toBeLessThan(Date.now());
  expect(certificate.validToDate.getTime()).toBeGreaterThan(Date.now() + 9 * 365 * 24 * 3600 * 1000);
});

test('each certificate has a serial number of its own, which is positive', () => {
  const serials = Array.from({ length: 50 }, () => new X509Certificate(issue(authority, { commonName: 'x' }).certificate).serialNumber);
  expect(new Set(serials).size).toBe(50);
  for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
});

test('a long name has a length of more than one byte', () => {
  const long = issue(authority, { commonName: 'x' }, Array.from({ length: 40 }, (_, index) => `name-${index}.example.test`));
  expect(new X509Certificate(long.certificate).checkHost('name-39.example.test')).toBe('name-39.example.test');
});
