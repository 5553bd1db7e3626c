import type { CommandLine } from './parse';
import { DURATION, type FlagReader } from './reader';
import { FLAG_GROUPS, type FlagName } from './table';
import { fileNameIn, objectNameIn, pathIn, portIn, tlsVersionIn, type TlsVersion } from './values';
import { durationIn } from '../text/duration';
import { isDnsLabel } from '../rules/names';

/**
 * Minimum lifetime of a certificate in milliseconds, which leaves time for a renewal. Certificates
 * have whole seconds.
 */
export const MIN_LIFETIME = 3_000;
/** Maximum lifetime of a certificate in milliseconds. */
export const MAX_LIFETIME = 10 * 365 * 86_400_000;

/** Process that serves the admission webhook; `off` for none. */
export const WEBHOOK_MODES = ['off', 'here', 'elsewhere'] as const;

/** Process that serves the admission webhook. */
export type WebhookMode = typeof WEBHOOK_MODES[number];

/** Configuration of the admission webhook. */
export interface WebhookConfiguration {
  /** Process that serves it; `here` in one started by `webhook start`. */
  readonly mode: WebhookMode;
  readonly port: number;
  /** Minimum version of TLS. */
  readonly minTlsVersion: TlsVersion;
  /**
   * Service through which API servers reach it. The namespace is only undefined if the operator
   * creates no certificate.
   */
  readonly service: { readonly name: string; readonly namespace: string | undefined };
  /** Secret with the certificates. */
  readonly secret: { readonly name: string; readonly namespace: string | undefined };
  /** Names of the webhook configurations in which the operator sets the CA. */
  readonly configurations: { readonly mutating: string; readonly validating: string };
  /** Lifetime of a certificate that the operator creates, in milliseconds. */
  readonly certificateLifetime: number;
  /** Files with a certificate of another issuer; undefined if the operator creates its own. */
  readonly certificateFiles: { readonly directory: string; readonly certificate: string; readonly key: string } | undefined;
  /** Whether the webhook rejects applications that exceed the ResourceQuotas. */
  readonly quotas: boolean;
}

/** Returns the configuration of the webhook by the command line. */
export function webhookConfiguration(line: CommandLine, flags: FlagReader, ownNamespace: string | undefined): WebhookConfiguration {
  const namespace = (name: FlagName) => flags.optional(
    name, (text) => (isDnsLabel(text) ? text : undefined), 'write the name of a namespace',
  );
  const serviceNamespace = namespace('webhook-svc-namespace') ?? ownNamespace;
  const configuration = (name: FlagName) => flags.optional(name, objectNameIn, 'write the name of a webhook configuration')
    ?? `spark-operator-${serviceNamespace ?? 'webhook'}`;
  const isMounted = flags.truth('enable-cert-manager') || flags.has('webhook-cert-dir');
  const files = {
    directory: flags.read('webhook-cert-dir', pathIn, 'write an absolute path'),
    certificate: flags.read('webhook-cert-name', fileNameIn, 'write the name of a file'),
    key: flags.read('webhook-key-name', fileNameIn, 'write the name of a file'),
  };
  const mode = flags.read('webhook', (text) => WEBHOOK_MODES.find((each) => each === text), `write one of ${WEBHOOK_MODES.join(', ')}`);
  return {
    mode: line.command === 'webhook' ? 'here' : mode,
    port: flags.read('webhook-port', portIn, 'write a port'),
    minTlsVersion: flags.read(
      'webhook-tls-min-version', tlsVersionIn,
      'write VersionTLS12 or VersionTLS13; older versions are not secure, and no API server needs them',
    ),
    service: { name: flags.read('webhook-svc-name', objectNameIn, 'write the name of a Service'), namespace: serviceNamespace },
    secret: {
      name: flags.read(
        'webhook-secret-name', objectNameIn, 'write the name of a Secret',
      ), namespace: namespace('webhook-secret-namespace') ?? serviceNamespace,
    },
    configurations: { mutating: configuration('mutating-webhook-name'), validating: configuration('validating-webhook-name') },
    certificateLifetime: flags.read(
      'webhook-certificate-lifetime', lifetimeIn, `${DURATION}, from ${MIN_LIFETIME / 1000} seconds to ten years`,
    ),
    certificateFiles: isMounted ? files : undefined,
    quotas: flags.truth('enable-resource-quota-enforcement'),
  };
}

/**
 * Returns contradictions between flags of the webhook that are valid on their own, and with those
 * of other servers.
 */
export function webhookContradictions(
  line: CommandLine, { mode, port, service, secret, certificateFiles }: WebhookConfiguration,
  otherPorts: Readonly<Partial<Record<FlagName, number | undefined>>>,
): string[] {
  const problems: string[] = [];
  if (line.command === 'webhook' && line.values.webhook !== undefined && line.values.webhook !== 'here') {
    problems.push(`--webhook=${line.values.webhook}: webhook start serves the webhook; leave the flag out`);
  }
  if (mode !== 'here') return problems;
  if (certificateFiles === undefined && (service.namespace === undefined || secret.namespace === undefined)) {
    problems.push('a webhook outside a pod needs --webhook-svc-namespace for its certificate, or --webhook-cert-dir with a certificate');
  }
  for (const [flag, other] of Object.entries(otherPorts)) {
    if (port !== 0 && port === other) problems.push(`--webhook-port=${port}: the same port is in --${flag}; write another`);
  }
  return problems;
}

/**
 * Flags with the names of the webhook's objects. From them sparkctl knows those of a webhook
 * elsewhere.
 */
const TARGETS: readonly FlagName[] = [
  'webhook-svc-name', 'webhook-svc-namespace', 'webhook-secret-name', 'webhook-secret-namespace', 'mutating-webhook-name',
  'validating-webhook-name',
];

const WEBHOOK_FLAGS = Object.keys(FLAG_GROUPS['The admission webhook']) as FlagName[];

/**
 * Flags that have an effect on a process that only serves the webhook. Some are of the controller:
 * it reviews applications as the controller submits them.
 */
export const WEBHOOK_PROCESS_FLAGS: ReadonlySet<string> = new Set<FlagName>([
  ...WEBHOOK_FLAGS, 'min-schedule-interval', 'enable-submission-mode-annotation', 'namespaces', 'namespace-selector', 'feature-gates',
  'defaults-config-map', 'submission-mode', 'spark-user', 'spark-submit-timeout', 'enable-ui-service',
  'enable-batch-scheduler', 'kube-scheduler-names', 'default-batch-scheduler',
  'ingress-url-format', 'kubeconfig', 'context', 'kube-api-qps', 'kube-api-burst', 'log-level', 'zap-log-level', 'log-encoder', 'zap-encoder',
  'enable-metrics',
  'metrics-bind-address', 'health-probe-bind-address',
]);

/** Returns given flags without effect on the requested process, with the reasons. */
export function withoutEffectByWebhook(
  { command, values }: CommandLine, { mode, certificateFiles }: WebhookConfiguration,
): Readonly<Record<string, string>> {
  const without: Record<string, string> = {};
  for (const name of Object.keys(values) as FlagName[]) {
    if (command === 'webhook' && !WEBHOOK_PROCESS_FLAGS.has(name)) {
      without[name] = name.startsWith('leader-election')
        ? 'every replica serves the webhook, without leader election'
        : 'it is a flag of the controller, and this process only serves the webhook';
    }
    if (mode !== 'here' && name !== 'webhook' && WEBHOOK_FLAGS.includes(name) && !(mode === 'elsewhere' && TARGETS.includes(name))) {
      without[name] = `this process does not serve the webhook (--webhook=${mode})`;
    }
  }
  if (mode === 'here' && certificateFiles && values['webhook-certificate-lifetime'] !== undefined) {
    without['webhook-certificate-lifetime'] = 'the certificate comes from files, and the operator does not create it';
  }
  return without;
}

function lifetimeIn(text: string): number | undefined {
  const lifetime = durationIn(text) ?? NaN;
  return lifetime >= MIN_LIFETIME && lifetime <= MAX_LIFETIME ? lifetime : undefined;
}
