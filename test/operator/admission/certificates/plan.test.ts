/*
 * Plans of the Secret, the bundle and the server's certificate, by the content of the Secret and
 * the time.
 */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { type CertificatePlan, certificateSettings, planCertificates } from '../../../../src/operator/admission/certificates/plan';
import type { CertificateTexts } from '../../../../src/operator/admission/certificates/stored';
import { issueAuthority, issueCertificate, newKeys } from '../../../../src/kube/x509/x509';
import { DAY, fresh, HOUR } from '../../../helpers/certificates';
import { certificatesOf, objection } from './helpers/certificates';

const NOW = Date.UTC(2026, 0, 1);
const HOSTS = ['webhook.operator.svc', 'webhook.operator'];
const settings = certificateSettings();

/** @param trusted since when clients trust the whole bundle; undefined: they do not */
function plan(
  stored: CertificateTexts, now = NOW,
  { trusted, hosts = HOSTS, lifetime }: { trusted?: number; hosts?: string[]; lifetime?: number } = {},
): CertificatePlan {
  return planCertificates({
    stored, name: 'a webhook', hosts, settings: certificateSettings(lifetime), now, trustedSince: () => trusted, newKeys,
  });
}

/** Checks that all certificates match, and that nothing is left to do. */
function expectWhole({ texts, bundle, serving }: CertificatePlan, now = NOW, hosts = HOSTS): void {
  expect(plan(texts, now, { hosts })).toMatchObject({ why: [], texts, bundle, serving });
  for (const host of hosts) expect(objection(bundle, serving.cert, host, now)).toBeUndefined();
}

const pair = (identity: ReturnType<typeof issueAuthority>) => ({
  cert: identity.certificate.toString(), key: identity.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
});
const first = plan({});

test('an empty Secret gets a CA and a certificate, which stay for two thirds of their lifetime', () => {
  expect(first.why).toEqual(['there are no certificates yet']);
  expectWhole(first);
  expect(first.notAfter).toBe(NOW + 90 * DAY);
  expect(Math.abs(first.requeueAt - (NOW + 60 * DAY))).toBeLessThan(HOUR);
  expect(plan(first.texts, first.requeueAt - 1).why).toEqual([]);

  const second = plan(first.texts, first.requeueAt);
  expect(second.why).toEqual(['two thirds of the time of server-cert.pem are over: there is a new one']);
  expect(second.bundle).toBe(first.bundle);
  expect(second.notAfter).toBe(first.requeueAt + 90 * DAY);
  expectWhole(second, first.requeueAt);
});

test('a new CA is announced, signs once all clients trust it, and is trusted until it expires', () => {
  const due = NOW + 241 * DAY;
  const announced = plan(plan(first.texts, due - 2 * DAY).texts, due);
  expect(announced.why).toEqual(['two thirds of the time of the CA are over: there is to be a next one']);
  expect(announced.bundle.startsWith(first.bundle)).toBe(true);
  expect(certificatesOf(announced.bundle)).toHaveLength(2);
  expect(announced.servedBy).toBe(first.servedBy);

  expect(plan(announced.texts, due + 30 * DAY).servedBy).toBe(first.servedBy);
  expect(plan(announced.texts, due + HOUR - 1, { trusted: due })).toMatchObject({ why: [], requeueAt: due + HOUR });
  const signing = plan(announced.texts, due + HOUR, { trusted: due });
  expect(signing.why).toEqual(['the next CA is trusted everywhere: it replaces the previous one']);
  expect(new Set(certificatesOf(signing.bundle).map(String))).toEqual(new Set(certificatesOf(announced.bundle).map(String)));
  expect(objection(signing.servedBy, signing.serving.cert, HOSTS[0]!, due + HOUR)).toBeUndefined();
  expect(signing.texts).not.toHaveProperty(['next-ca-key.pem']);
  expectWhole(signing, due + HOUR);
  // A disconnected server still shows this certificate.
  expect(objection(signing.bundle, announced.serving.cert, HOSTS[0]!, due + HOUR)).toBeUndefined();

  const later = plan(plan(signing.texts, NOW + 330 * DAY).texts, NOW + 361 * DAY);
  expect(later.why).toEqual(['retired-ca-certs.pem has one that has expired, and with it all that it signed']);
  expect(later.bundle).toBe(signing.servedBy);
});

test('a certificate does not outlive its CA, and is not renewed without need', () => {
  const late = plan(first.texts, NOW + 300 * DAY);
  expect(late.notAfter).toBe(NOW + 360 * DAY);
  expect(plan(late.texts, NOW + 359 * DAY).why).toEqual([]);
  // No client has learned of the next CA in all that time. By now nothing can be lost.
  const ended = plan(late.texts, NOW + 360 * DAY);
  expect(ended.why).toEqual(['ca-cert.pem has expired: the next CA takes its place']);
  expectWhole(ended, NOW + 360 * DAY);
});

const other = plan({});
const signedBy = (ca: CertificateTexts, lifetime?: number, hosts = HOSTS): CertificateTexts => {
  const authority = { certificate: certificatesOf(ca['ca-cert.pem']!)[0]!, key: createPrivateKey(ca['ca-key.pem']!) };
  const { cert, key } = pair(issueCertificate(authority, { commonName: 'a server' }, hosts, fresh(lifetime, NOW)));
  return { 'server-cert.pem': cert, 'server-key.pem': key };
};
const { privateKey: rsaKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048, privateKeyEncoding: { type: 'pkcs1', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const ca = (lifetime: number) => ({ 'ca-cert.pem': pair(issueAuthority('a CA', fresh(lifetime, NOW))).cert });

test.each<[string, CertificateTexts, string[]]>([
  ['a CA that is garbage', { 'ca-cert.pem': 'garbage' }, ['ca-cert.pem is not a certificate: all certificates are replaced']],
  ['a CA cut off in the middle', {
    'ca-cert.pem': first.texts['ca-cert.pem']!.slice(0, 200),
  }, ['ca-cert.pem is not a certificate: all certificates are replaced']],
  ['a key that is garbage', { 'ca-key.pem': '\0\u{1f600}' }, ['ca-cert.pem has something for a key that is none: all certificates are replaced']],
  ['a key that is missing', { 'ca-key.pem': undefined }, ['ca-cert.pem is without its other half: all certificates are replaced']],
  ['the key of another CA', { 'ca-key.pem': other.texts['ca-key.pem'] }, ['ca-cert.pem does not fit its key: all certificates are replaced']],
  ['a key of another kind', { 'ca-key.pem': rsaKey }, ['ca-cert.pem does not fit its key: all certificates are replaced']],
  ['another CA as a whole, and not what it signed', {
    'ca-key.pem': other.texts['ca-key.pem'], 'ca-cert.pem': other.texts['ca-cert.pem'],
  }, ['server-cert.pem is not signed by the CA: there is a new one']],
  ['a server that plays a CA', {
    'ca-key.pem': first.texts['server-key.pem'], 'ca-cert.pem': first.texts['server-cert.pem'],
  }, ['ca-cert.pem is not the certificate of a CA: all certificates are replaced']],
  ['empty texts', {
    'ca-key.pem': '', 'ca-cert.pem': '', 'server-key.pem': '', 'server-cert.pem': '',
  }, ['ca-cert.pem is not there: all certificates are replaced']],
  ['only a certificate of the server', {
    'ca-key.pem': undefined, 'ca-cert.pem': undefined,
  }, ['ca-cert.pem is not there: all certificates are replaced']],
  ['no certificate of the server', {
    'server-key.pem': undefined, 'server-cert.pem': undefined,
  }, ['server-cert.pem is not there: there is a new one']],
  ['the key of another server', {
    'server-key.pem': other.texts['server-key.pem'],
  }, ['server-cert.pem does not fit its key: there is a new one']],
  ['a certificate that has expired', signedBy(first.texts, 0), ['server-cert.pem has expired: there is a new one']],
  ['a certificate for another name', signedBy(first.texts, 80 * DAY, ['webhook.elsewhere.svc']), [
    'server-cert.pem is not for webhook.operator.svc, webhook.operator: there is a new one',
  ]],
  ['a next CA that is garbage', { 'next-ca-cert.pem': 'garbage', 'next-ca-key.pem': 'garbage' }, ['next-ca-cert.pem is not a certificate']],
  ['half a next CA', { 'next-ca-cert.pem': other.texts['ca-cert.pem'] }, ['next-ca-cert.pem is without its other half']],
  ['garbage among the retired', {
    'retired-ca-certs.pem': `${other.texts['ca-cert.pem']}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
  }, ['retired-ca-certs.pem has something in it that is no certificate of a CA of ours']],
  ['too many that are retired', {
    'retired-ca-certs.pem': Array.from({ length: 20 }, () => ca(DAY)['ca-cert.pem']).join(''),
  }, ['retired-ca-certs.pem has something in it that is no certificate of a CA of ours']],
])('%s is replaced, with the reason', (_, texts, why) => {
  const mended = plan({ ...first.texts, ...texts });
  expect(mended.why).toEqual(why);
  // A previous name is kept in addition to the missing ones.
  expectWhole(mended);
  // An unusable CA is not trusted either.
  if (why[0]!.endsWith('all certificates are replaced')) expect(certificatesOf(mended.bundle)).toHaveLength(1);
  expect(mended.bundle).not.toContain('garbage');
});

test('a certificate from the future, because of a wrong clock, is replaced', () => {
  expect(plan(plan({}, NOW + DAY).texts).why).toEqual(['ca-cert.pem is not valid yet: all certificates are replaced']);
  expect(plan(plan({}, NOW + 2 * 60_000).texts).why).toEqual([]);
});

test('two replicas with different host names agree on both', () => {
  const renamed = plan(first.texts, NOW, { hosts: ['new.operator.svc'] });
  expect(renamed.why).toEqual(['server-cert.pem is not for new.operator.svc: there is a new one']);
  expect(plan(renamed.texts).why).toEqual([]);
  expectWhole(renamed, NOW, [...HOSTS, 'new.operator.svc']);
});

test('a shorter lifetime applies at once, a longer one from the next renewal', () => {
  expect(plan(first.texts, NOW + 6 * DAY, { lifetime: 9 * DAY }).notAfter).toBe(NOW + 15 * DAY);
  expect(plan(first.texts, NOW + 5 * DAY, { lifetime: 9 * DAY }).why).toEqual([]);
  expect(plan(first.texts, NOW + 59 * DAY, { lifetime: 365 * DAY }).why).toEqual([]);
  expect(plan(first.texts, NOW + 61 * DAY, { lifetime: 365 * DAY }).notAfter).toBe(NOW + 360 * DAY);
});

test('lifetimes of seconds work, and shorter ones are refused', () => {
  const short = plan({}, NOW, { lifetime: 3_000 });
  expect(short.requeueAt - NOW).toBeGreaterThan(500);
  expect(plan(short.texts, NOW + 500, { lifetime: 3_000 }).why).toEqual([]);
  expect(short.notAfter).toBe(NOW + 3_000);
  for (const lifetime of [2_999, NaN, Infinity, 11 * 365 * DAY]) expect(() => certificateSettings(lifetime)).toThrow(RangeError);
  expect(settings).toEqual({ lifetime: 90 * DAY, authorityLifetime: 360 * DAY, propagation: HOUR });
});
