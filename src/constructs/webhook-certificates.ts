import { X509Certificate } from 'crypto';
import { Duration } from 'cdk8s';
import { rejectArguments, wrongSeconds } from '../props/_check';
import { checkArguments, duration, text } from '../props/_prop-types';
import { wrongName } from '../rules/names';
import type { CertificateSource } from './_webhook-certificates';

/** Settings of certificates that the operator creates. */
export interface SelfManagedCertificatesProps {
  /**
   * Validity of a certificate, from one hour to ten years. The operator replaces it long before its
   * end.
   *
   * @default Duration.days(90)
   */
  readonly lifetime?: Duration;

  /**
   * Name of the Secret with the certificates, in the operator's namespace. It is created empty, and
   * applying it again keeps its content.
   *
   * @default - `spark-operator-webhook-certs`, or from the name of the operator
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

/** Settings of certificates that cert-manager creates. */
export interface CertManagerCertificatesProps {
  /**
   * Name of the issuer. It must publish its CA (`ca.crt` in the Secret), which the API server
   * needs: issuers of public certificates do not.
   *
   * @default - a separate CA for this webhook, from a self-signed Issuer that is created, too
   */
  readonly issuerName?: string;

  /**
   * Kind of the issuer. Only with `issuerName`.
   *
   * @default CertificateIssuerKind.ISSUER
   */
  readonly issuerKind?: CertificateIssuerKind;

  /**
   * API group of an external issuer. Only with `issuerName`.
   *
   * @default cert-manager.io
   */
  readonly issuerGroup?: string;

  /**
   * Validity of a certificate, from one hour, the minimum of cert-manager, to ten years.
   *
   * @default - cert-manager's: 90 days
   */
  readonly lifetime?: Duration;

  /**
   * Time before its end when a certificate is renewed; at least five minutes, and less than
   * `lifetime`.
   *
   * @default - cert-manager's: a third of the lifetime
   */
  readonly renewBefore?: Duration;

  /**
   * Name of the Secret with the certificate, which cert-manager creates. It must differ from that
   * of self-managed certificates, because the type of a Secret is immutable.
   *
   * @default - `spark-operator-webhook-tls`, or from the name of the operator
   */
  readonly secretName?: string;
}

const MAX_LIFETIME = Duration.days(3650);

/** Source of the webhook's certificate, and the way in which the API server gets its CA. */
export class WebhookCertificates {
  /**
   * The operator creates a CA and certificates, stores them in a Secret, replaces them long before
   * they end, and writes the CA into the webhook configurations. Nothing else is needed. It gets
   * the permission to change this one Secret, and its own two webhook configurations.
   */
  public static selfManaged(props: SelfManagedCertificatesProps = {}): WebhookCertificates {
    props = checkArguments('WebhookCertificates.selfManaged', { props }, { props: { lifetime: duration, secretName: text } }).props;
    rejectArguments('WebhookCertificates.selfManaged', [wrongLifetime(props.lifetime), wrongName('secretName', props.secretName)]);
    return new WebhookCertificates({ source: 'self-managed', secretName: props.secretName, lifetime: props.lifetime });
  }

  /**
   * cert-manager creates the certificate, and its cainjector writes the CA into the webhook
   * configurations. The cluster needs its custom resource definitions. The webhook uses a renewed
   * certificate without a restart.
   */
  public static certManager(props: CertManagerCertificatesProps = {}): WebhookCertificates {
    props = checkArguments('WebhookCertificates.certManager', { props }, {
      props: { issuerName: text, issuerKind: text, issuerGroup: text, lifetime: duration, renewBefore: duration, secretName: text },
    }).props;
    const { issuerName, issuerKind, issuerGroup, lifetime, renewBefore } = props;
    const onlyWithName = (prop: string, value: string | undefined) => (
      value !== undefined && issuerName === undefined ? {
        path: prop, value, reason: 'has no effect without issuerName; set the name of the issuer, too',
      } : undefined
    );
    rejectArguments('WebhookCertificates.certManager', [
      wrongName('issuerName', issuerName),
      onlyWithName('issuerKind', issuerKind),
      onlyWithName('issuerGroup', issuerGroup),
      wrongName('issuerGroup', issuerGroup),
      wrongName('secretName', props.secretName),
      wrongLifetime(lifetime),
      wrongSeconds('renewBefore', renewBefore, 300),
      renewBefore && renewBefore.toMilliseconds() >= (lifetime ?? Duration.days(90)).toMilliseconds()
        ? {
          path: 'renewBefore', value: undefined,
          reason: 'must be less than lifetime, otherwise each certificate would be renewed at once',
        } : undefined,
    ]);
    return new WebhookCertificates({
      source: 'cert-manager',
      secretName: props.secretName,
      ...(issuerName !== undefined && {
        issuer: { name: issuerName, kind: issuerKind ?? CertificateIssuerKind.ISSUER, group: issuerGroup ?? 'cert-manager.io' },
      }),
      lifetime,
      renewBefore,
    });
  }

  /**
   * A Secret with the keys `tls.crt` and `tls.key` that another program creates and renews. The
   * webhook uses a renewed certificate without a restart.
   *
   * @param secretName Name of the Secret in the operator's namespace. The certificate must be for
   * `<webhookServiceName of the operator>.<namespace>.svc`.
   * @param caBundle Certificate of the CA that has signed it, in PEM. It can contain several, to
   * replace a CA.
   */
  public static fromSecret(secretName: string, caBundle: string): WebhookCertificates {
    checkArguments('WebhookCertificates.fromSecret', { secretName, caBundle }, { secretName: text, caBundle: text });
    rejectArguments('WebhookCertificates.fromSecret', [wrongName('secretName', secretName), wrongCertificates('caBundle', caBundle)]);
    return new WebhookCertificates({ source: 'secret', secretName, caBundle });
  }

  /** @internal */
  public readonly _setup: CertificateSource;

  private constructor(setup: CertificateSource) {
    this._setup = setup;
  }
}

function wrongLifetime(lifetime: Duration | undefined) {
  const isLonger = lifetime && lifetime.toMilliseconds() > MAX_LIFETIME.toMilliseconds();
  return isLonger ? {
    path: 'lifetime', value: lifetime.toHumanString(), reason: 'must be at most Duration.days(3650)',
  } : wrongSeconds('lifetime', lifetime, 3600);
}

/**
 * Checks a CA bundle: the API server rejects a text without certificates, and trusts none of a
 * bundle with invalid ones. The error does not repeat the text, which might be a private key.
 */
function wrongCertificates(path: string, bundle: string) {
  const wrong = (reason: string) => ({ path, value: undefined, reason });
  if (/PRIVATE KEY/.test(bundle)) {
    return wrong('contains a private key, which must not be in a manifest: write only the certificate of the CA');
  }
  const blocks = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!blocks) return wrong('contains no certificate: write it in PEM, beginning with -----BEGIN CERTIFICATE-----');
  try {
    for (const block of blocks) new X509Certificate(block);
    return undefined;
  } catch {
    return wrong('contains an invalid certificate: write it in PEM as in the file of the CA');
  }
}
