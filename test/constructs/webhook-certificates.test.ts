import { Duration, Testing } from 'cdk8s';
import { CertificateIssuerKind, SparkOperator, WebhookCertificates } from '../../src';
import { CA } from '../operator/admission/helpers';

function synthesized(certificates: WebhookCertificates): any[] {
  const chart = Testing.chart();
  new SparkOperator(chart, 'operator', { installCrds: false, namespace: 'ops', webhook: { certificates } });
  return Testing.synth(chart);
}

const ofKind = (objects: any[], kind: string) => objects.filter((object) => object.kind === kind);
const configurations = (objects: any[]) => objects.filter(({ kind }) => kind.endsWith('WebhookConfiguration'));
const podOf = (objects: any[]) => ofKind(objects, 'Deployment')[0].spec.template.spec;
const SECRET_RIGHTS = /secrets|webhookconfigurations/;

test('cert-manager without an issuer: a CA that is valid longer than the certificates, so that a renewed one is trusted at once', () => {
  const objects = synthesized(WebhookCertificates.certManager());
  const [ca, leaf] = ofKind(objects, 'Certificate');
  const [selfSigned, issuer] = ofKind(objects, 'Issuer');
  expect(ca.spec).toMatchObject({ isCA: true, issuerRef: { name: selfSigned.metadata.name } });
  expect(issuer.spec).toEqual({ ca: { secretName: ca.spec.secretName } });
  // The Secret of self-managed certificates has another type, which is immutable.
  expect(leaf.spec).toMatchObject({
    secretName: 'spark-operator-webhook-tls', dnsNames: [
      'spark-operator-webhook-svc.ops.svc',
    ], issuerRef: { kind: 'Issuer', name: issuer.metadata.name },
  });
  for (const { metadata } of configurations(objects)) {
    expect(metadata.annotations).toEqual({ 'cert-manager.io/inject-ca-from': `ops/${leaf.metadata.name}` });
  }
});

test('an issuer of the cluster, with custom times', () => {
  const objects = synthesized(WebhookCertificates.certManager({
    issuerName: 'corporate', issuerKind: CertificateIssuerKind.CLUSTER_ISSUER, lifetime: Duration.days(30),
    renewBefore: Duration.minutes(90),
  }));
  expect(ofKind(objects, 'Issuer')).toEqual([]);
  expect(ofKind(objects, 'Certificate').map(({ spec }) => spec)).toEqual([
    expect.objectContaining({
      issuerRef: {
        group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'corporate',
      }, duration: '720h0m0s', renewBefore: '1h30m0s',
    }),
  ]);
});

test.each([
  ['cert-manager', WebhookCertificates.certManager()], ['a Secret', WebhookCertificates.fromSecret('own', CA)],
])('%s: the operator reads files, may be there before them, and has no rights', (_, certificates) => {
  const objects = synthesized(certificates);
  const { containers: [{ volumeMounts, args }], volumes } = podOf(objects);
  expect(volumes).toEqual([{ name: 'webhook-certificate', secret: expect.objectContaining({ optional: true }) }]);
  expect(volumeMounts).toEqual([{ mountPath: '/etc/spark-operator/webhook', name: 'webhook-certificate', readOnly: true }]);
  expect(args).toContain('--webhook-cert-dir=/etc/spark-operator/webhook');
  const resources = objects.filter(({ kind }) => kind.endsWith('Role')).flatMap(
    ({ rules }) => rules.flatMap((rule: any) => rule.resources),
  );
  expect(resources.filter((resource: string) => SECRET_RIGHTS.test(resource))).toEqual([]);
  // External ones are never part of the installation.
  expect(ofKind(objects, 'Secret')).toEqual([]);
});

test('an external Secret: the API server gets the CA', () => {
  for (const { webhooks } of configurations(synthesized(WebhookCertificates.fromSecret('own', CA)))) {
    for (const { clientConfig } of webhooks) expect(Buffer.from(clientConfig.caBundle, 'base64').toString()).toBe(CA);
  }
});

test.each<[string, () => unknown, string]>([
  [
    'a lifetime', () => WebhookCertificates.selfManaged({ lifetime: Duration.minutes(5) }),
    'WebhookCertificates.selfManaged: lifetime = "300 s" must be whole seconds, at least 3600',
  ],
  ['a long lifetime', () => WebhookCertificates.certManager({ lifetime: Duration.days(4000) }), 'must be at most Duration.days(3650)'],
  [
    'a renewal', () => WebhookCertificates.certManager({ lifetime: Duration.days(1), renewBefore: Duration.days(1) }),
    'must be less than lifetime',
  ],
  [
    'an issuer without a name', () => WebhookCertificates.certManager({ issuerKind: CertificateIssuerKind.CLUSTER_ISSUER }),
    'has no effect without issuerName',
  ],
  ['a name', () => WebhookCertificates.selfManaged({ secretName: 'A B' }), 'secretName = "A B" is not a name'],
  ['no certificate', () => WebhookCertificates.fromSecret('own', 'LS0t'), 'caBundle contains no certificate'],
  [
    'half a certificate', () => WebhookCertificates.fromSecret('own', CA.replace(/.{60}\n/, '\n')),
    'caBundle contains an invalid certificate',
  ],
])('refused: %s', (_, make, message) => {
  expect(make).toThrow(message);
});

test('a private key is rejected, and not repeated', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n';
  expect(() => WebhookCertificates.fromSecret('own', CA + key)).toThrow(
    /^WebhookCertificates.fromSecret: caBundle contains a private key(?!.*c2VjcmV0)/s,
  );
});
