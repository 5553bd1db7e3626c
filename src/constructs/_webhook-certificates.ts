import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { seconds } from '../props/_check';

/**
 * Where certificates come from.
 * @internal
 */
export interface CertificateSetup {
  readonly source: 'self-managed' | 'cert-manager' | 'secret';
  readonly secretName: string;
  /** cert-manager's, of somebody else. */
  readonly issuer?: { readonly name: string; readonly kind: string; readonly group: string };
  readonly lifetime?: Duration;
  readonly renewBefore?: Duration;
  /** PEM. */
  readonly caBundle?: string;
}

/** Where a Secret with a certificate is mounted. */
const FOLDER = '/etc/spark-operator/webhook';

/** What is made for the webhook is called so. */
const NAME = 'spark-operator-webhook';
const CA = `${NAME}-ca`;

/**
 * The operator's flags for it.
 * @internal
 */
export function certificateFlags({ source, secretName, lifetime }: CertificateSetup, namespace: string): string[] {
  if (source !== 'self-managed') return [...(source === 'cert-manager' ? ['--enable-cert-manager=true'] : []), `--webhook-cert-dir=${FOLDER}`];
  return [
    `--webhook-secret-name=${secretName}`,
    `--webhook-secret-namespace=${namespace}`,
    ...(lifetime ? [`--webhook-certificate-lifetime=${seconds(lifetime)}s`] : []),
  ];
}

/**
 * The Secret to mount, if there is one.
 * @internal
 */
export function mountedSecret({ source, secretName }: CertificateSetup): { readonly secretName: string; readonly folder: string } | undefined {
  return source === 'self-managed' ? undefined : { secretName, folder: FOLDER };
}

/**
 * What a webhook configuration says of the CA.
 * @internal
 */
export function trustOf({ source, caBundle }: CertificateSetup, namespace: string): { readonly annotations?: { [key: string]: string }; readonly caBundle?: string } {
  if (source === 'cert-manager') return { annotations: { 'cert-manager.io/inject-ca-from': `${namespace}/${NAME}` } };
  return caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') };
}

/** Whose certificate it is. */
interface CertificateUse {
  readonly namespace: string;
  /** Name of the Service by which the API server reaches the webhook. */
  readonly service: string;
  /** Of what is added. */
  readonly labels: { [key: string]: string };
}

/**
 * Adds what the certificates are made from.
 * @internal
 */
export function addCertificates(scope: Construct, setup: CertificateSetup, { namespace, service, labels }: CertificateUse): void {
  if (setup.source === 'self-managed') {
    // Without `data`, so that what the operator has written there is not the business of who applies this again.
    new ApiObject(scope, 'WebhookCertificates', { apiVersion: 'v1', kind: 'Secret', metadata: { name: setup.secretName, namespace, labels }, type: 'Opaque' });
    return;
  }
  if (setup.source === 'secret') return;
  const add = (id: string, kind: string, name: string, spec: object) => new ApiObject(scope, id, { apiVersion: 'cert-manager.io/v1', kind, metadata: { name, namespace, labels }, spec });
  const certManagers = (name: string) => ({ group: 'cert-manager.io', kind: 'Issuer', name });
  if (!setup.issuer) {
    // A CA outlives the certificates: while one replaces the other, both are trusted.
    const selfSigned = `${NAME}-self-signed`;
    add('WebhookSelfSigned', 'Issuer', selfSigned, { selfSigned: {} });
    add('WebhookCa', 'Certificate', CA, { secretName: CA, commonName: CA, isCA: true, duration: '87600h0m0s', privateKey: KEY, issuerRef: certManagers(selfSigned) });
    add('WebhookIssuer', 'Issuer', CA, { ca: { secretName: CA } });
  }
  add('WebhookCertificate', 'Certificate', NAME, {
    secretName: setup.secretName,
    dnsNames: [`${service}.${namespace}.svc`],
    usages: ['digital signature', 'server auth'],
    privateKey: { ...KEY, rotationPolicy: 'Always' },
    ...(setup.lifetime && { duration: hours(setup.lifetime) }),
    ...(setup.renewBefore && { renewBefore: hours(setup.renewBefore) }),
    issuerRef: setup.issuer ?? certManagers(CA),
  });
}

const KEY = { algorithm: 'ECDSA', size: 256 };

/** As cert-manager stores durations. */
function hours(duration: Duration): string {
  const all = seconds(duration)!;
  return `${Math.floor(all / 3600)}h${Math.floor(all / 60) % 60}m${all % 60}s`;
}
