import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { seconds } from '../props/_check';

/**
 * Source of certificates, as the user has chosen it.
 * @internal
 */
export interface CertificateSource {
  readonly source: 'self-managed' | 'cert-manager' | 'secret';
  readonly secretName?: string;
  /** Certificate of an existing cert-manager installation. */
  readonly issuer?: { readonly name: string; readonly kind: string; readonly group: string };
  readonly lifetime?: Duration;
  readonly renewBefore?: Duration;
  /** PEM. */
  readonly caBundle?: string;
}

/**
 * The same with the name of the Secret.
 * @internal
 */
export interface CertificateSetup extends CertificateSource {
  readonly secretName: string;
}

/** Mount path of a Secret with a certificate. */
const FOLDER = '/etc/spark-operator/webhook';

/**
 * Returns the operator's flags for certificates.
 * @internal
 */
export function certificateFlags({ source, lifetime }: CertificateSetup): string[] {
  if (source !== 'self-managed') {
    return [...(source === 'cert-manager' ? ['--enable-cert-manager=true'] : []), `--webhook-cert-dir=${FOLDER}`];
  }
  return lifetime ? [`--webhook-certificate-lifetime=${seconds(lifetime)}s`] : [];
}

/**
 * Returns the operator's flags for the Secret that it fills itself.
 * @internal
 */
export function secretFlags({ source, secretName }: CertificateSetup, namespace: string): string[] {
  return source === 'self-managed' ? [`--webhook-secret-name=${secretName}`, `--webhook-secret-namespace=${namespace}`] : [];
}

/**
 * Returns the Secret to mount, if any.
 * @internal
 */
export function mountedSecret(
  { source, secretName }: CertificateSetup,
): { readonly secretName: string; readonly folder: string } | undefined {
  return source === 'self-managed' ? undefined : { secretName, folder: FOLDER };
}

/**
 * Returns the CA of a webhook configuration.
 * @internal
 */
export function trustOf(
  { source, caBundle }: CertificateSetup, { namespace, certificate }: { readonly namespace: string; readonly certificate: string },
): { readonly annotations?: { [key: string]: string }; readonly caBundle?: string } {
  if (source === 'cert-manager') return { annotations: { 'cert-manager.io/inject-ca-from': `${namespace}/${certificate}` } };
  return caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') };
}

/** Subject of the certificate. */
interface CertificateUse {
  readonly namespace: string;
  /** Name of the created objects of cert-manager. */
  readonly certificate: string;
  /** Name of the Service through which the API server calls the webhook. */
  readonly service: string;
  /** Labels of the created objects. */
  readonly labels: { [key: string]: string };
}

/**
 * Adds the objects from which certificates are created.
 * @internal
 */
export function addCertificates(
  scope: Construct, setup: CertificateSetup, { namespace, certificate, service, labels }: CertificateUse,
): void {
  if (setup.source === 'self-managed') {
    // Without `data`, so that applying it again keeps what the operator has written.
    new ApiObject(scope, 'WebhookCertificates', {
      apiVersion: 'v1', kind: 'Secret', metadata: { name: setup.secretName, namespace, labels }, type: 'Opaque',
    });
    return;
  }
  if (setup.source === 'secret') return;
  const ca = `${certificate}-ca`;
  const add = (id: string, kind: string, name: string, spec: object) => new ApiObject(scope, id, {
    apiVersion: 'cert-manager.io/v1', kind, metadata: { name, namespace, labels }, spec,
  });
  const certManagers = (name: string) => ({ group: 'cert-manager.io', kind: 'Issuer', name });
  if (!setup.issuer) {
    // The CA is valid longer than certificates; both are trusted while a new one replaces the old
    // one.
    const selfSigned = `${certificate}-self-signed`;
    add('WebhookSelfSigned', 'Issuer', selfSigned, { selfSigned: {} });
    add('WebhookCa', 'Certificate', ca, {
      secretName: ca, commonName: ca, isCA: true, duration: '87600h0m0s', privateKey: KEY, issuerRef: certManagers(selfSigned),
    });
    add('WebhookIssuer', 'Issuer', ca, { ca: { secretName: ca } });
  }
  add('WebhookCertificate', 'Certificate', certificate, {
    secretName: setup.secretName,
    dnsNames: [`${service}.${namespace}.svc`],
    usages: ['digital signature', 'server auth'],
    privateKey: { ...KEY, rotationPolicy: 'Always' },
    ...(setup.lifetime && { duration: hours(setup.lifetime) }),
    ...(setup.renewBefore && { renewBefore: hours(setup.renewBefore) }),
    issuerRef: setup.issuer ?? certManagers(ca),
  });
}

const KEY = { algorithm: 'ECDSA', size: 256 };

/** Formats durations as cert-manager stores them. */
function hours(duration: Duration): string {
  const all = seconds(duration)!;
  return `${Math.floor(all / 3600)}h${Math.floor(all / 60) % 60}m${all % 60}s`;
}
