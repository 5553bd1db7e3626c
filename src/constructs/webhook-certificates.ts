import { X509Certificate } from 'crypto';
import { Duration } from 'cdk8s';
import { refuseArguments, wrongSeconds } from '../props/_check';
import { wrongName } from '../props/_names';
import type { CertificateSetup } from './_webhook-certificates';

/** Certificates that the operator makes itself. */
export interface SelfManagedCertificatesProps {
  /**
   * How long a certificate is valid; from one hour to ten years. It is replaced long before its end.
   *
   * @default Duration.days(90)
   */
  readonly lifetime?: Duration;

  /**
   * Name of the Secret with the certificates, in the operator's namespace. It is created empty, and applying it again does not empty it.
   *
   * @default spark-operator-webhook-certs
   */
  readonly secretName?: string;
}

/** Kinds of issuers of cert-manager. */
export enum CertificateIssuerKind {
  /** An issuer of the operator's namespace. */
  ISSUER = 'Issuer',
  /** An issuer of the whole cluster. */
  CLUSTER_ISSUER = 'ClusterIssuer',
}

/** Certificates that cert-manager makes. */
export interface CertManagerCertificatesProps {
  /**
   * Name of the issuer. It has to tell its CA (`ca.crt` in the Secret), which the API server is told: issuers of public certificates do not.
   *
   * @default - a CA for this webhook alone, by a self-signed Issuer that is created, too
   */
  readonly issuerName?: string;

  /**
   * Kind of the issuer. Only with `issuerName`.
   *
   * @default CertificateIssuerKind.ISSUER
   */
  readonly issuerKind?: CertificateIssuerKind;

  /**
   * API group of the issuer, if it is one of others. Only with `issuerName`.
   *
   * @default cert-manager.io
   */
  readonly issuerGroup?: string;

  /**
   * How long a certificate is valid; from one hour, the least that cert-manager takes, to ten years.
   *
   * @default - cert-manager's: 90 days
   */
  readonly lifetime?: Duration;

  /**
   * How long before its end a certificate is renewed; at least five minutes, and less than `lifetime`.
   *
   * @default - cert-manager's: a third of the lifetime
   */
  readonly renewBefore?: Duration;

  /**
   * Name of the Secret with the certificate, which cert-manager creates. Not that of certificates that the operator has made itself: the type of a Secret cannot be changed.
   *
   * @default spark-operator-webhook-tls
   */
  readonly secretName?: string;
}

const MAX_LIFETIME = Duration.days(3650);
const SECRET = 'spark-operator-webhook-certs';
/** Of another type than the Secret that the operator fills, so that both can be there while one replaces the other. */
const CERT_MANAGER_SECRET = 'spark-operator-webhook-tls';

/** Where the certificate of the webhook comes from, and how the API server gets to trust it. */
export class WebhookCertificates {
  /**
   * The operator makes a CA and certificates, keeps them in a Secret, replaces them long before they end, and tells the API server. Nothing else is needed. It
   * gets the right to change this one Secret, and its own two webhook configurations.
   */
  public static selfManaged(props: SelfManagedCertificatesProps = {}): WebhookCertificates {
    refuseArguments('WebhookCertificates.selfManaged', [wrongLifetime(props.lifetime), wrongName('secretName', props.secretName)]);
    return new WebhookCertificates({ source: 'self-managed', secretName: props.secretName ?? SECRET, lifetime: props.lifetime });
  }

  /**
   * cert-manager makes the certificate, and tells the API server (its cainjector). The cluster needs its custom resource definitions. A renewed certificate is
   * taken up without a restart.
   */
  public static certManager(props: CertManagerCertificatesProps = {}): WebhookCertificates {
    const { issuerName, issuerKind, issuerGroup, lifetime, renewBefore } = props;
    const onlyWithName = (prop: string, value: string | undefined) => (
      value !== undefined && issuerName === undefined ? { path: prop, value, reason: 'says nothing without issuerName; write the name of the issuer, too' } : undefined
    );
    refuseArguments('WebhookCertificates.certManager', [
      wrongName('issuerName', issuerName),
      onlyWithName('issuerKind', issuerKind),
      onlyWithName('issuerGroup', issuerGroup),
      wrongName('issuerGroup', issuerGroup),
      wrongName('secretName', props.secretName),
      wrongLifetime(lifetime),
      wrongSeconds('renewBefore', renewBefore, 300),
      renewBefore && renewBefore.toMilliseconds() >= (lifetime ?? Duration.days(90)).toMilliseconds()
        ? { path: 'renewBefore', value: undefined, reason: 'must be less than lifetime, or each certificate would be renewed at once' } : undefined,
    ]);
    return new WebhookCertificates({
      source: 'cert-manager',
      secretName: props.secretName ?? CERT_MANAGER_SECRET,
      ...(issuerName !== undefined && { issuer: { name: issuerName, kind: issuerKind ?? CertificateIssuerKind.ISSUER, group: issuerGroup ?? 'cert-manager.io' } }),
      lifetime,
      renewBefore,
    });
  }

  /**
   * A Secret with the keys `tls.crt` and `tls.key` that something else makes and renews. What is renewed is taken up without a restart.
   *
   * @param secretName Name of the Secret in the operator's namespace. The certificate has to be for `spark-operator-webhook-svc.<namespace>.svc`.
   * @param caBundle Certificate of the CA that has signed it, in PEM. Several follow each other, which is how a CA is replaced.
   */
  public static fromSecret(secretName: string, caBundle: string): WebhookCertificates {
    refuseArguments('WebhookCertificates.fromSecret', [wrongName('secretName', secretName), wrongCertificates('caBundle', caBundle)]);
    return new WebhookCertificates({ source: 'secret', secretName, caBundle });
  }

  /** @internal */
  public readonly _setup: CertificateSetup;

  private constructor(setup: CertificateSetup) {
    this._setup = setup;
  }
}

function wrongLifetime(lifetime: Duration | undefined) {
  const isLonger = lifetime && lifetime.toMilliseconds() > MAX_LIFETIME.toMilliseconds();
  return isLonger ? { path: 'lifetime', value: lifetime.toHumanString(), reason: 'must be at most Duration.days(3650)' } : wrongSeconds('lifetime', lifetime, 3600);
}

/** The API server refuses what holds no certificate, and trusts none of what holds others. What is written is not repeated: it may be a key. */
function wrongCertificates(path: string, text: string) {
  const wrong = (reason: string) => ({ path, value: undefined, reason });
  if (/PRIVATE KEY/.test(text)) return wrong('has a private key, which must not be in a manifest: write the certificate of the CA only');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!blocks) return wrong('has no certificate: write it in PEM, beginning with -----BEGIN CERTIFICATE-----');
  try {
    for (const block of blocks) new X509Certificate(block);
    return undefined;
  } catch {
    return wrong('has a certificate that cannot be read: write it in PEM as it is in the file of the CA');
  }
}
